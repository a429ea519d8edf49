package deviceruntime

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// assert: each thread that holds an element that is false reports.
//
// Threads that hold copies of an element report too: choosing one would cost every assert that holds.
func assert(l *core.Lowering, op ir.Op) error {
	i1 := l.Ctx.Int(1)
	var all ir.Value
	for _, v := range l.Values(op.Operand(0)) {
		all = l.And(all, v)
	}
	failed := l.Make(arith.XOrI, i1, all, l.Const(l.Ctx.IntAttr(i1, -1)))
	file, line := "", uint32(0)
	if loc := ir.FileLocOf(op.Loc()); loc != nil {
		file, line = loc.File, loc.Line
	}
	// __assertfail takes message, file, line, function and the size of a character. It is called in a block of its
	// own: nearly always nobody fails, and the arguments need not be computed.
	message, name, where := text(l, op.StringAttr(tile.AttrMessage)), text(l, l.Name), text(l, file)
	return l.OnlyIf(failed, func() error {
		l.Create(nvvm.Call, []ir.Value{message, where, l.Const32(int64(line)), name, l.Const64(1)}, nil,
			ir.NamedAttr{Name: nvvm.AttrCallee, Value: l.Ctx.String(assertFunction)})
		l.Create(nvvm.Trap, nil, nil)
		return nil
	})
}
