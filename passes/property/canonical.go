package property

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// noDeadOps: see Canonical for why nothing more is checked.
func noDeadOps(ir.Op, *passes.Target) func(ir.Op) *ir.Diagnostic {
	return func(op ir.Op) *ir.Diagnostic {
		if ir.IsTriviallyDead(op) {
			return op.Errorf("has no effect, and nothing uses its results")
		}
		return nil
	}
}
