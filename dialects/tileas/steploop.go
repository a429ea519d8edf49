package tileas

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
)

// StepLoop reports whether an operation is a loop that is one operation to whoever schedules around it, and how often it runs: its bounds are constants, and it does nothing but compute and read buffers.
// So is a product without a matrix instruction, in steps along its depth (tileas-cut-products).
func StepLoop(op ir.Op) (trips int64, ok bool) {
	if !op.Is(scf.For) {
		return 0, false
	}
	var bounds [scf.NumBounds]int64
	for i := range bounds {
		a, isInt := ir.ConstantValue(op.Operand(i)).(*ir.IntegerAttr)
		if !isInt {
			return 0, false
		}
		bounds[i] = a.Value
	}
	lower, upper, step := bounds[0], bounds[1], bounds[2]
	const most = 1 << 32 // of what is no number of steps, and would be in the way of the sum below
	if step <= 0 || step > most || lower < -most || upper > most {
		return 0, false
	}
	for inner := range op.Body().Ops() {
		if inner.NumRegions() > 0 || !ir.IsPure(inner) && !inner.Is(LocalLoad) && !inner.Is(scf.Continue) {
			return 0, false
		}
	}
	return max(0, (upper-lower+step-1)/step), true
}
