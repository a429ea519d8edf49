package tileastonvvm

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// variables are those of the module that a kernel needs for itself. Kernels are converted in parallel, so they are declared when all are done; until then their names,
// which count within the kernel and begin with its own, stand for them.
//
// The kernel's name is part of theirs, so that two kernels' tables cannot meet; equal tables of two kernels are
// two variables.
type variables struct {
	pending [][]ir.NamedAttr
	counts  map[string]int
}

// variable adds a variable with an initial value, and returns its name, which says what it is.
func (l *lowering) variable(what string, init ir.Attribute, attrs ...ir.NamedAttr) string {
	if l.counts == nil {
		l.counts = make(map[string]int)
	}
	name := fmt.Sprintf("%s_%s_%d", l.name, what, l.counts[what])
	l.counts[what]++
	l.pending = append(l.pending, append([]ir.NamedAttr{{Name: ir.SymName, Value: l.ctx.String(name)}, {Name: nvvm.AttrInit, Value: init}}, attrs...))
	return name
}

// declare makes the variables of the module.
func (v *variables) declare(b *ir.Builder) {
	for _, attrs := range v.pending {
		b.Create(nvvm.GlobalVar, nil, nil, attrs...)
	}
}

// lowerGlobal makes a variable of the module what PTX has.
func lowerGlobal(op ir.Op, b *ir.Builder) {
	st := b.NewState(nvvm.GlobalVar, op.Loc())
	st.SetAttr(ir.SymName, op.Context().String(op.SymbolName()))
	init := op.Attr(tile.AttrValue)
	align, _ := op.IntAttr(tile.AttrAlignment)
	if d, ok := init.(*ir.DenseElementsAttr); ok && tile.IsHalf(ir.ElementType(d.Type())) {
		init = packedBytes(op.Context(), d)
	}
	st.SetAttr(nvvm.AttrInit, init)
	if align > 0 {
		st.SetAttr(nvvm.AttrAlignment, op.Context().IntAttr(op.Context().Int(64), align))
	}
	b.Insert(st)
}
