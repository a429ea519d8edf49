package tileasprop

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// pipesLowered rejects operations on pipes.
func pipesLowered(ir.Op, *passes.Target) func(ir.Op) *ir.Diagnostic {
	return func(op ir.Op) *ir.Diagnostic {
		if tileas.IsPipeOp(op) {
			return op.Errorf("is about a pipe, whose mbarriers are not chosen yet")
		}
		return nil
	}
}
