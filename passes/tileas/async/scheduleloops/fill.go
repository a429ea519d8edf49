package scheduleloops

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/nest"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
)

// A filler decides for outer loops whether the prologue of the inner loop starts in the previous iteration.
type filler struct {
	run    *passes.Run
	model  *price.Model
	limits schedule.Limits
	outer  []ir.Op
	why    map[ir.Op]error // why the outer loop has no schedule of its own
}

// decide sets nv_tileas.fill_ahead on outer loops.
func (f *filler) decide() {
	r := f.run
	for _, outer := range f.outer {
		text, err := f.try(outer)
		if err != nil {
			notPipelined(r, outer, err)
			r.Add(numRejected, 1)
			continue
		}
		outer.SetAttr(tileas.AttrFillAhead, r.IR().Unit())
		remark.LoopPipelined.At(r, outer.Loc(), "%s", text).Report()
		r.Add(numFilled, 1)
	}
}

// try returns the remark for an outer loop that is filled ahead, or why it is not.
func (f *filler) try(outer ir.Op) (string, error) {
	inner := nest.Inside(outer)
	if inner.IsNil() {
		return "", f.why[outer]
	}
	rejected := func(err error) error {
		return fmt.Errorf("%w, whose prologue cannot start in the previous iteration: %w", f.why[outer], err)
	}
	g, err := ddg.Build(inner, f.model)
	if err != nil {
		return "", rejected(err)
	}
	n, err := nest.Find(g, tileas.ScheduleOf(inner), f.limits.In(outer), f.model)
	if err != nil {
		return "", rejected(err)
	}
	// Nothing overlaps in that code, so an operation takes its work or its latency, whichever is longer.
	hides := n.Hides(func(op ir.Op) int { t := f.model.Of(op); return max(t.Work(), t.Latency) })
	// The fill's code exists twice, so it must hide more than that costs.
	if hides < least {
		return "", rejected(fmt.Errorf("its epilogue takes %d cycles, which hide no copy", hides))
	}
	return fmt.Sprintf("outer loop pipelined: the prologue of the inner loop (stages: %d) overlaps the epilogue of the previous iteration (%d cycles, estimate)", n.Iterations, hides), nil
}

// least is how many cycles the code around the inner loop must take, so that an early prologue is worth its code size:
// a fraction of the latency of memory.
const least = 100
