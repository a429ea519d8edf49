package runtool

import (
	"time"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/pipeline"
)

// A recorder is the instrument that notes for each pass how long it took, and for each level how many operations it
// left.
type recorder struct {
	passes []passRecord
	levels []levelRecord
}

type passRecord struct {
	name    string
	elapsed time.Duration
}

// A levelRecord is the IR after the last pass of a level.
type levelRecord struct {
	level *passes.Property
	ops   int
}

// note counts the operations of IR that is at a level.
func (r *recorder) note(level *passes.Property, root ir.Op) {
	n := 0
	root.Walk(func(ir.Op) ir.WalkResult { n++; return ir.Advance })
	if last := len(r.levels) - 1; last >= 0 && r.levels[last].level == level {
		r.levels[last].ops = n
		return
	}
	r.levels = append(r.levels, levelRecord{level, n})
}

// Serial implements pipeline.Serial: the entire IR is counted after each pass, and nothing else may change it then.
func (r *recorder) Serial() bool { return true }

// BeforePass implements pipeline.Instrument.
func (r *recorder) BeforePass(*pipeline.Event) {}

// AfterPass implements pipeline.Instrument.
func (r *recorder) AfterPass(ev *pipeline.Event) {
	step := ev.Item.Step
	if step == "" {
		step = ev.Item.Pass.Name
	}
	r.passes = append(r.passes, passRecord{step, ev.Elapsed})
	if level := pipeline.LevelOf(ev.Root); level != nil {
		r.note(level, ev.Root)
	}
}

// total is the time of all passes.
func (r *recorder) total() (sum time.Duration) {
	for _, p := range r.passes {
		sum += p.elapsed
	}
	return sum
}
