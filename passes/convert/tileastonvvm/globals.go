package tileastonvvm

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

type globalKey struct{ name string }

func (l *lowering) addressOf(name string) ir.Value {
	return l.once(globalKey{name}, func(b *ir.Builder) ir.Value {
		return b.Create(nvvm.AddressOf, nil, []ir.Type{nvvm.Ptr(l.ctx, nvvm.Global)},
			ir.NamedAttr{Name: nvvm.AttrGlobal, Value: l.ctx.SymbolRef(name)}).Result(0)
	})
}

func (l *lowering) getGlobal(op ir.Op) error {
	l.Bind(op.Result(0), l.toSpace(l.addressOf(op.StringAttr(tile.AttrName))))
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
	l.Bind(op.Result(0), l.toSpace(p))
	return nil
}

// constantTable puts the elements of a constant into memory; each thread loads its own.
// The memory is global and not .const: the constant cache takes the different addresses of a warp one after the other (CUDA programming guide, constant
// memory), and here the lanes' all differ.
//
//	arith.constant dense<[3, 1, 4, 1, ...]> : tensor<64xi32, #l>      ->      @kernel_table_0 = [3, 1, 4, 1, ...], and in the code
//	%t = element number of the thread's register 0 ; %p = &@kernel_table_0 + 4 * %t ; %r0, %r1 = ld [%p], ld [%p + 4]
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
		// A table is nobody else's, so halves need not be packed in it, and a thread may load any one.
		dense = bytesOf(l.ctx, dense)
	}
	name := l.variable("table", dense, ir.NamedAttr{Name: nvvm.AttrAlignment, Value: l.ctx.IntAttr(l.i64(), max(size, 4))})

	// Every thread needs other elements, and which is known when the kernel runs only; immediates chosen by selects would be as many as the table has elements.
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
		regs[r] = l.ld(p, constant, ir.Value{}, nil, t, 1)[0]
	}
	l.Bind(op.Result(0), regs...)
	return nil
}
