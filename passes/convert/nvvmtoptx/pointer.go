package nvvmtoptx

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

func init() {
	move := func(e *emitter, o ir.Op) error {
		d := e.def(o.Result(0))
		e.body.Mov(d, e.use(o.Operand(0)))
		return nil
	}
	add(map[*ir.OpDef]rule{nvvm.PtrToInt: move, nvvm.IntToPtr: move})
}
