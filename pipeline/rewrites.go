package pipeline

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/rs/zerolog"
	"github.com/tilewright/tilewright/ir"
)

// A RewriteWatch watches the rewrites that passes make (passes.Rewrites).
type RewriteWatch struct {
	// Limit says how many rewrites a run of a pass may make at most; negative: any number. Nil: no limits.
	Limit func(ev *Event) int
	// Made are called for each rewrite, in this order.
	Made []func(ev *Event, rw Rewrite)
}

// A Rewrite is a change of a pass to an operation.
type Rewrite struct {
	Number int    // of the run of the pass, from 1
	What   string // the name of a pattern or of what the pass does
	Op     string // the name of the operation
	Loc    ir.Location
	// Start is when the pass or the driver of patterns began to look for it.
	Start time.Time
}

// of returns what watches one run of a pass.
func (w *RewriteWatch) of(ev *Event) *rewriteCounter {
	if w == nil {
		return nil
	}
	c := &rewriteCounter{watch: w, ev: ev, limit: -1, log: zerolog.Nop()}
	if w.Limit != nil {
		c.limit = w.Limit(ev)
	}
	return c
}

// A rewriteCounter implements passes.Rewrites for one run of a pass.
type rewriteCounter struct {
	watch   *RewriteWatch
	ev      *Event
	limit   int
	made    int
	refused bool // there would have been more
	started time.Time
	log     zerolog.Logger
}

// More implements passes.Rewrites.
func (c *rewriteCounter) More() bool {
	if c.limit >= 0 && c.made >= c.limit {
		c.refused = true
		return false
	}
	if len(c.watch.Made) > 0 {
		c.started = time.Now()
	}
	return true
}

// Made implements passes.Rewrites.
func (c *rewriteCounter) Made(what, op string, loc ir.Location) {
	c.made++
	c.log.Trace().Int("number", c.made).Str("rewrite", what).Str("on", op).Stringer("at", shownLoc{loc}).Msg("rewrote")
	for _, f := range c.watch.Made {
		f(c.ev, Rewrite{Number: c.made, What: what, Op: op, Loc: loc, Start: c.started})
	}
}

// Place names the place of the operation as far as it is known: file, line and column.
func (rw Rewrite) Place() string { return shownLoc{rw.Loc}.String() }

func (rw Rewrite) String() string {
	return fmt.Sprintf("'%s' on '%s' at %s", rw.What, rw.Op, rw.Place())
}

// harmless replaces what a terminal might take for a command: names of files are input.
func harmless(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}

// A shownLoc prints a location as file, line and column.
type shownLoc struct{ loc ir.Location }

func (p shownLoc) String() string {
	if f := ir.FileLocOf(p.loc); f != nil {
		return fmt.Sprintf("%s:%d:%d", strings.Map(harmless, f.File), f.Line, f.Column)
	}
	return "an unknown place"
}
