package tileasprop

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/schedule"
	"github.com/tilewright/tilewright/passes/schedule/ddg"
	"github.com/tilewright/tilewright/passes/schedule/nest"
	"github.com/tilewright/tilewright/passes/tileas/machine/price"
)

// loopsScheduled checks each schedule of a loop against the dependence graph, built from the current IR, and
// against the units and the shared memory of the target.
func loopsScheduled(fn ir.Op, t *passes.Target) func(ir.Op) *ir.Diagnostic {
	return func(op ir.Op) *ir.Diagnostic {
		if op.Attr(tileas.AttrFillAhead) != nil {
			if d := filledAhead(fn, op, t); d != nil {
				return d
			}
		}
		a := tileas.ScheduleOf(op)
		if a == nil {
			// A schedule that cannot be parsed must not pass as a loop without a schedule.
			if op.Attr(tileas.AttrSchedule) != nil {
				return op.Errorf("has a '%s' that is no schedule", tileas.AttrSchedule)
			}
			return nil
		}
		arch, err := t.Arch()
		if err != nil {
			return op.Errorf("needs a target: %v", err)
		}
		g, err := ddg.Build(op, price.NewModel(arch, max(1, contract.KernelSpecOf(fn).NumWarps)))
		if err == nil {
			err = schedule.Verify(g, a, schedule.LimitsOf(fn, arch).In(op))
		}
		if err != nil {
			return op.Errorf("has a schedule that does not hold: %v", err)
		}
		return nil
	}
}

// filledAhead checks an outer loop whose attribute says that the copies of the inner loop start an iteration
// earlier. It must have what that needs.
func filledAhead(fn, op ir.Op, t *passes.Target) *ir.Diagnostic {
	arch, err := t.Arch()
	if err != nil {
		return op.Errorf("needs a target: %v", err)
	}
	if !op.Is(scf.For) || nest.Inside(op).IsNil() {
		return op.Errorf("has '%s', but no loop with a schedule stands in it", tileas.AttrFillAhead)
	}
	inner := nest.Inside(op)
	model := price.NewModel(arch, max(1, contract.KernelSpecOf(fn).NumWarps))
	g, err := ddg.Build(inner, model)
	if err == nil {
		_, err = nest.Find(g, tileas.ScheduleOf(inner), schedule.LimitsOf(fn, arch).In(op), model)
	}
	if err != nil {
		return op.Errorf("has '%s', but the loop inside cannot be filled ahead: %v", tileas.AttrFillAhead, err)
	}
	return nil
}
