package tileas

import (
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
)

// StepLoop reports whether an operation is a loop that schedulers treat as one operation, and how often it runs. Its
// bounds are constants, and it only computes and reads buffers. For example, tileas-tile-mma-k makes such a loop of an
// MMA without an MMA instruction, in steps along K.
func StepLoop(op ir.Op) (trips int64, ok bool) {
	if trips, ok = scf.Trips(op); !ok {
		return 0, false
	}
	for inner := range op.Body().Ops() {
		if inner.NumRegions() > 0 || !ir.IsPure(inner) && !inner.Is(LocalLoad) && !inner.Is(scf.Continue) {
			return 0, false
		}
	}
	return trips, true
}
