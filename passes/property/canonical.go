package property

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// noDeadOps: see Canonical for why this is all that is asked.
func noDeadOps(ir.Op, *passes.Target) func(ir.Op) *ir.Diagnostic {
	return func(op ir.Op) *ir.Diagnostic {
		if ir.IsTriviallyDead(op) {
			return op.Errorf("has no effect, and nothing uses its results")
		}
		return nil
	}
}
