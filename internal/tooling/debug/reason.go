package debug

import (
	"fmt"
	"math"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp"
)

// reason decides whether a run stops here; nil: it goes on.
func (n *run) reason(w *Watchlist, b *Block) *Stop {
	if n.nan != "" {
		text := n.nan
		n.nan = ""
		return &Stop{Reason: AtException, Text: text}
	}
	g := n.goal
	if ids, bad := n.hits(w, false); len(ids) > 0 {
		return &Stop{Reason: AtBreakpoint, IDs: ids, Text: bad}
	}
	switch {
	case g.here != "" && n.count == g.until:
		return &Stop{Reason: g.here}
	case n.pause.Load():
		return &Stop{Reason: AtPause}
	case g.mode == Continue:
		return nil
	case b.State.Number() != g.block:
		// Another one: while the tile block waits, or when it has ended.
		if n.isLive(g.block) {
			return nil
		}
		return &Stop{Reason: AtStep}
	case g.mode == NextOp:
		return &Stop{Reason: AtStep}
	}
	depth := len(b.at.frames) - 1
	if g.mode == Out {
		if depth < g.depth {
			return &Stop{Reason: AtStep}
		}
		return nil
	}
	if depth >= g.depth && g.depth >= 0 && b.at.line(g.depth) == g.line {
		return nil
	}
	if depth > g.depth && g.depth >= 0 {
		b.Depth = g.depth + 1 // a call, which is shown as the line that it is in
	}
	return &Stop{Reason: AtStep}
}

func (n *run) isLive(number uint64) bool {
	for _, b := range n.live {
		if b.State.Number() == number && b != n.cur {
			return true
		}
	}
	return false
}

// hits returns the breakpoints here whose conditions hold, and what is wrong with a condition. A condition that cannot
// be evaluated stops too, so that its author learns of it. A silent run writes no log.
func (n *run) hits(w *Watchlist, silent bool) (ids []int, bad string) {
	for _, p := range w.Breakpoints[n.cur.at.op] {
		s := &Stop{Kernel: n.kernel, Blocks: []*Block{n.cur}, Count: n.count}
		if p.Cond != nil {
			ok, err := p.Cond.Holds(s.Frame(0, 0))
			if err != nil {
				bad = fmt.Sprintf("the condition '%s' of line %d: %v", p.Cond, p.Line, err)
			} else if !ok {
				continue
			}
		}
		if p.Log == nil || bad != "" {
			ids = append(ids, p.ID)
		} else if out := n.runner.opts.Output; out != nil && !silent {
			out(n.ctx, p.Log(s)+"\n")
		}
	}
	return ids, bad
}

// checkNaN looks at the results of the operation that was executed last: those of the first operation that makes NaN of
// what has none are reported at the next stop.
func (n *run) checkNaN(s *interp.State) {
	op, same := n.before, n.beforeIn == s
	n.before, n.beforeIn = s.Op(), s
	if op.IsNil() || !same || n.nan != "" || inBody(op, n.kernel.entry) || op.NumRegions() > 0 {
		return
	}
	for _, v := range op.Operands() {
		if hasNaN(s, v) >= 0 {
			return
		}
	}
	for _, v := range op.Results() {
		if i := hasNaN(s, v); i >= 0 {
			where := ""
			if l := ir.FileLocOf(op.Loc()); l != nil {
				where = fmt.Sprintf("%s:%d: ", l.File, l.Line)
			}
			n.nan = fmt.Sprintf("%s'%s' makes NaN of operands without NaN, element %d of its result %s", where, op.Name(), i, n.kernel.ssa(v))
			return
		}
	}
}

// hasNaN returns the first element of a tile that is NaN, or -1.
func hasNaN(s *interp.State, v ir.Value) int {
	t, ok := s.Tile(v)
	if !ok {
		return -1
	}
	f, ok := t.Format()
	if !ok {
		return -1
	}
	for i, x := range t.Bits {
		if (t.Undef == nil || !t.Undef[i]) && math.IsNaN(f.Decode(x)) {
			return i
		}
	}
	return -1
}
