package property

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/cost"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
)

// loopsScheduled holds each schedule on a loop to the dependence graph, made anew, and to the units and the shared memory of the target.
func loopsScheduled(fn ir.Op, t *passes.Target) func(ir.Op) *ir.Diagnostic {
	return func(op ir.Op) *ir.Diagnostic {
		a := tileas.ScheduleOf(op)
		if a == nil {
			if op.Attr(tileas.AttrSchedule) != nil {
				return op.Errorf("has a '%s' that is no schedule", tileas.AttrSchedule)
			}
			return nil
		}
		arch, err := t.Arch()
		if err != nil {
			return op.Errorf("needs a target: %v", err)
		}
		g, err := ddg.Build(op, cost.NewModel(arch, max(1, contract.KernelSpecOf(fn).NumWarps)))
		if err == nil {
			err = schedule.Verify(g, a, schedule.LimitsOf(fn, arch))
		}
		if err != nil {
			return op.Errorf("has a schedule that does not hold: %v", err)
		}
		return nil
	}
}
