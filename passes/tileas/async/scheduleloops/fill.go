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

// fillAhead sets nv_tileas.fill_ahead on an outer loop, or reports why it does not. An error says why the loop has no
// schedule of its own.
func fillAhead(r *passes.Run, outer ir.Op, err error, limits schedule.Limits, model *price.Model) {
	text, err := early(outer, err, limits, model)
	if err != nil {
		notPipelined(r, outer, err)
		return
	}
	outer.SetAttr(tileas.AttrFillAhead, r.IR().Unit())
	remark.LoopPipelined.At(r, outer.Loc(), "%s", text).Report()
	r.Add(numFilled, 1)
}

// early returns the remark for an outer loop in which the prologue of the inner loop starts in the previous iteration, or
// why it cannot start there.
func early(outer ir.Op, why error, limits schedule.Limits, model *price.Model) (string, error) {
	inner := nest.Inside(outer)
	if inner.IsNil() {
		return "", why
	}
	rejected := func(err error) error {
		return fmt.Errorf("%w, whose prologue cannot start in the previous iteration: %w", why, err)
	}
	g, err := ddg.Build(inner, model)
	if err != nil {
		return "", rejected(err)
	}
	n, err := nest.Find(g, tileas.ScheduleOf(inner), limits.In(outer), model)
	if err != nil {
		return "", rejected(err)
	}
	// Nothing overlaps in that code, so an operation takes its work or its latency, whichever is longer.
	hides := n.Hides(func(op ir.Op) int { t := model.Of(op); return max(t.Work(), t.Latency) })
	// The fill's code exists twice, so it must hide more than that costs.
	if hides < least {
		return "", rejected(fmt.Errorf("its epilogue takes %d cycles, which hide no copy", hides))
	}
	return fmt.Sprintf("outer loop pipelined: the prologue of the inner loop (stages: %d) overlaps the epilogue of the previous iteration (%d cycles, estimate)", n.Iterations, hides), nil
}

// least is how many cycles the code around the inner loop must take, so that an early prologue is worth its code size:
// a fraction of the latency of memory.
const least = 100
