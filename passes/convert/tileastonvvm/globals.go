package tileastonvvm

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// lowerGlobal makes a variable of the module what PTX has.
func lowerGlobal(op ir.Op) error {
	b := ir.BuilderBefore(op)
	st := b.NewState(nvvm.GlobalVar, op.Loc())
	st.SetAttr(ir.SymName, op.Context().String(op.SymbolName()))
	init := op.Attr(tile.AttrValue)
	align, _ := op.IntAttr(tile.AttrAlignment)
	if d, ok := init.(*ir.DenseElementsAttr); ok && tile.IsHalf(ir.ElementType(d.Type())) {
		init = packedWords(op.Context(), d)
		align = max(align, 4)
	}
	st.SetAttr(nvvm.AttrInit, init)
	if align > 0 {
		st.SetAttr(nvvm.AttrAlignment, op.Context().IntAttr(op.Context().Int(64), align))
	}
	b.Insert(st)
	return nil
}

type globalKey struct{ name string }

func (l *lowering) addressOf(name string) ir.Value {
	return l.once(globalKey{name}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.AddressOf, nil, []ir.Type{nvvm.Ptr(l.ctx, nvvm.Global)},
			ir.NamedAttr{Name: nvvm.AttrGlobal, Value: l.ctx.SymbolRef(name)}).Result(0)
	})
}

func (l *lowering) getGlobal(op ir.Op) error {
	l.values[op.Result(0)] = []ir.Value{l.toSpace(l.addressOf(op.StringAttr(tile.AttrName)))}
	return nil
}

// toSpace makes an address one of the space that the kernel's pointers point to.
func (l *lowering) toSpace(p ir.Value) ir.Value {
	if t := ir.Type(nvvm.Ptr(l.ctx, l.space)); p.Type() != t {
		return l.create(nvvm.ToGeneric, t, p)
	}
	return p
}

// alloca: the memory is part of the kernel's shared memory.
func (l *lowering) alloca(op ir.Op) error {
	off, ok := op.IntAttr(tile.AttrOffset)
	if !ok {
		return op.Errorf("has no offset")
	}
	l.renew(op)
	if op.HasUnitAttr(tile.AttrGlobal) {
		return l.globalAlloca(op)
	}
	p := l.create(nvvm.PtrAdd, nvvm.Ptr(l.ctx, nvvm.Shared), l.sharedBase(), l.const32(off))
	l.values[op.Result(0)] = []ir.Value{l.toSpace(p)}
	return nil
}

// spaceOf returns where the pointers of a kernel point to.
func spaceOf(fn ir.Op) nvvm.Space {
	space := nvvm.Global
	fn.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(tileas.Level.Alloca) && !op.HasUnitAttr(tile.AttrGlobal) {
			space = nvvm.Generic
			return ir.Interrupt
		}
		return ir.Advance
	})
	return space
}

// constantTable puts the elements of a constant into memory; each thread loads its own.
func (l *lowering) constantTable(op ir.Op) error {
	lay, err := l.layout(op.Result(0))
	if err != nil {
		return err
	}
	dense, ok := op.AttrAt(0).(*ir.DenseElementsAttr)
	if !ok {
		return op.Errorf("has no elements")
	}
	t := ir.ElementType(op.Result(0).Type())
	size := int64(tile.ElementBytes(t))
	if int64(ir.DenseElemBytes(t)) != size {
		return op.Errorf("of this type is not lowered to nvvm yet when its elements differ")
	}
	if tile.IsHalf(t) {
		dense = bytesOf(l.ctx, dense)
	}
	name := fmt.Sprintf("%s_table_%d", l.kernel, l.tables)
	l.tables++
	l.globals.Create(nvvm.GlobalVar, nil, nil, ir.NamedAttr{Name: ir.SymName, Value: l.ctx.String(name)},
		ir.NamedAttr{Name: nvvm.AttrInit, Value: dense}, ir.NamedAttr{Name: nvvm.AttrAlignment, Value: l.ctx.IntAttr(l.i64(), max(size, 4))})

	// The element's number is the sum over bits that the thread and the register contribute.
	var f linear.ThreadFn
	for i := range lay.Bits(linear.Lane) {
		f.Lane = append(f.Lane, uint32(lay.FlatBase(linear.Lane, i)))
	}
	for i := range lay.Bits(linear.Warp) {
		f.Warp = append(f.Warp, uint32(lay.FlatBase(linear.Warp, i)))
	}
	a := sharedAddress{l: l, size: size}
	a.setThread(f)
	base := l.addressOf(name)
	regs := make([]ir.Value, lay.Size(linear.Register))
	for r := range regs {
		off, constant := a.split(uint32(lay.RegisterPart(uint32(r))))
		p := l.create(nvvm.PtrAdd, base.Type(), base, l.resize(off, l.i64()))
		regs[r] = l.ld(p, constant, ir.Value{}, ir.Value{}, t, 1)[0]
	}
	l.values[op.Result(0)] = regs
	return nil
}
