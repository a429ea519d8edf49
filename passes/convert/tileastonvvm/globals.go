package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/convert/tileastonvvm/core"
)

// lowerGlobal makes a variable of the module what PTX has.
func lowerGlobal(op ir.Op, b *ir.Builder) {
	st := b.NewState(nvvm.GlobalVar, op.Loc())
	st.SetAttr(ir.SymName, op.Context().String(op.SymbolName()))
	init := op.Attr(tile.AttrValue)
	align, _ := op.IntAttr(tile.AttrAlignment)
	if d, ok := init.(*ir.DenseElementsAttr); ok && tile.IsHalf(ir.ElementType(d.Type())) {
		init = core.PackedBytes(op.Context(), d)
	}
	st.SetAttr(nvvm.AttrInit, init)
	if align > 0 {
		st.SetAttr(nvvm.AttrAlignment, op.Context().IntAttr(op.Context().Int(64), align))
	}
	b.Insert(st)
}
