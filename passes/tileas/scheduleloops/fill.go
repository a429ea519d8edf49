package scheduleloops

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/nest"
)

// A filler decides for loops with loops inside whether these are filled in the iteration before.
type filler struct {
	run    *passes.Run
	model  *cost.Model
	limits schedule.Limits
	outer  []ir.Op
	why    map[ir.Op]error // why the outer loop has no schedule of its own
}

// decide gives the attribute to outer loops, and reports whether any got it.
func (f *filler) decide() (changed bool) {
	r := f.run
	for _, outer := range f.outer {
		text, err := f.try(outer)
		if err != nil {
			notPipelined(r, outer, err)
			r.Add(numRefused, 1)
			continue
		}
		outer.SetAttr(tileas.AttrFillAhead, r.IR().Unit())
		remark.LoopPipelined.At(r, outer.Loc(), "%s", text).Report()
		r.Add(numFilled, 1)
		changed = true
	}
	return changed
}

// try says what filling the loop inside ahead brings, or why it is not done.
func (f *filler) try(outer ir.Op) (string, error) {
	inner := nest.Inside(outer)
	if inner.IsNil() {
		return "", f.why[outer]
	}
	refused := func(err error) error {
		return fmt.Errorf("%w, which is not filled in the iteration before: %w", f.why[outer], err)
	}
	g, err := ddg.Build(inner, f.model)
	if err != nil {
		return "", refused(err)
	}
	n, err := nest.Find(g, tileas.ScheduleOf(inner), f.limits.In(outer), func(loop ir.Op) (*ddg.Graph, error) { return ddg.Build(loop, f.model) })
	if err != nil {
		return "", refused(err)
	}
	hides := n.Hides(func(op ir.Op) int { t := f.model.Of(op); return max(t.Work(), t.Latency) })
	if hides < least {
		return "", refused(fmt.Errorf("what stands around it takes %d cycles, which hide no copy", hides))
	}
	return fmt.Sprintf("loop is pipelined across the loop inside: %d turns of its copies, for the next iteration, start before what stands behind it and takes about %d cycles", n.Turns, hides), nil
}

// least is how many cycles must stand around a loop inside so that copies ahead of them are worth their code: a fraction of the latency of memory.
const least = 100
