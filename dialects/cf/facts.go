package cf

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

func init() {
	CondBr.Attach(intrange.Guard.Is(func(op ir.Op, succ int) (ir.Value, bool, bool) { return op.Operand(0), succ == 0, true }))
}
