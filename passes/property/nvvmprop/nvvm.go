package nvvmprop

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// mathExpanded asks that no elementary function is left: none of them is an instruction.
func mathExpanded(ir.Op, *passes.Target) func(ir.Op) *ir.Diagnostic {
	return func(op ir.Op) *ir.Diagnostic {
		if arith.IsElementary(op) {
			return op.Errorf("is an elementary function, for which there is no instruction")
		}
		return nil
	}
}
