package core

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
)

// Attr32 returns an attribute that is an i32.
func (l *Lowering) Attr32(name string, n int64) ir.NamedAttr {
	return ir.NamedAttr{Name: name, Value: l.Ctx.IntAttr(l.I32(), n)}
}

// Ld loads n registers of type t, or others when mask, if any, does not hold.
func (l *Lowering) Ld(addr ir.Value, off int64, mask ir.Value, others []ir.Value, t ir.Type, n int, order ...ir.NamedAttr) []ir.Value {
	st := l.NewState(nvvm.Ld, l.Loc)
	groups := [][]ir.Value{{addr}, nil, nil}
	if !mask.IsNil() {
		// An instruction whose guard is false writes nothing (PTX ISA, predicated execution). So the result must
		// be given another value, one for each register, since padding may be known only at run time.
		groups[1], groups[2] = []ir.Value{mask}, others
	}
	st.OperandGroups(groups...)
	l.SetOffset(st, off)
	st.Attrs = append(st.Attrs, order...)
	for range n {
		st.Types = append(st.Types, t)
	}
	return l.Insert(st).Results()
}

// St stores registers when mask, if any, holds.
func (l *Lowering) St(addr ir.Value, off int64, vs []ir.Value, mask ir.Value, order ...ir.NamedAttr) {
	st := l.NewState(nvvm.St, l.Loc)
	groups := [][]ir.Value{{addr}, vs, nil}
	if !mask.IsNil() {
		groups[2] = []ir.Value{mask}
	}
	st.OperandGroups(groups...)
	l.SetOffset(st, off)
	st.Attrs = append(st.Attrs, order...)
	l.Insert(st)
}

// SetOffset sets the immediate offset of an access, unless it is 0.
func (l *Lowering) SetOffset(st *ir.OpState, off int64) {
	if off != 0 {
		st.SetAttr(nvvm.AttrOffset, l.Ctx.IntAttr(l.I64(), off))
	}
}

// Padding returns what elements outside load as; for addresses, null.
func (l *Lowering) Padding(t ir.Type, keyword string) ir.Value {
	if _, isPtr := t.(*nvvm.PtrType); isPtr {
		return l.Make(nvvm.IntToPtr, t, l.Const64(0))
	}
	return l.Const(tile.Padding(l.Ctx, t, keyword))
}
