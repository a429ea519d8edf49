package scf

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

func init() {
	If.Attach(intrange.Guard.Is(func(op ir.Op, region int) (ir.Value, bool, bool) {
		switch {
		case region == 0:
			return op.Operand(0), true, true
		case region == 1 || op.Region(1).Empty():
			return op.Operand(0), false, true
		}
		return ir.Value{}, false, false // behind an if with two regions
	}))
}
