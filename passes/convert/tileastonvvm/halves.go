package tileastonvvm

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
)

// Elements of half a byte lie in global memory two to a byte, the first in its lower half. A tiled access counts halves first, from its base on, as an i64, and then
// addresses bytes. It moves whole bytes: both elements of one are registers of the same thread, which layout assignment sees to.
//
//	byte address   base          base + 1      base + 2
//	halves         [h1 | h0]     [h3 | h2]     [h5 | h4]      vector of 4 halves = 2 bytes: h0..h3 of one thread
//
// In registers each half has a register of its own (as a byte with zeros above): arithmetic works on one
// element at a time, and 4-bit registers do not exist.

func (l *lowering) i8() ir.Type { return l.ctx.Int(8) }

func (l *lowering) constant8(v int64) ir.Value { return l.constAttr(l.ctx.IntAttr(l.i8(), v)) }

// toByte returns an element of less than a byte in the low bits of one.
func (l *lowering) toByte(v ir.Value) ir.Value { return l.create(arith.ExtUI, l.i8(), l.bits(v)) }

// lowest returns the low bits of a byte as an element of less than a byte.
func (l *lowering) lowest(b ir.Value, elem ir.Type) ir.Value {
	bits := ir.Type(l.ctx.Int(ir.BitWidth(elem)))
	v := l.create(arith.TruncI, bits, b)
	if elem == bits {
		return v
	}
	return l.create(arith.Bitcast, elem, v)
}

// splitByte returns the elements of less than a byte that make it up, the lowest first.
func (l *lowering) splitByte(b ir.Value, elem ir.Type) (out []ir.Value) {
	for shift := 0; shift < 8; shift += ir.BitWidth(elem) {
		v := b
		if shift > 0 {
			v = l.create(arith.ShRUI, l.i8(), b, l.constant8(int64(shift)))
		}
		out = append(out, l.lowest(v, elem))
	}
	return out
}

func (l *lowering) joinHalves(low, high ir.Value) ir.Value {
	return l.create(arith.OrI, l.i8(), l.toByte(low), l.create(arith.ShLI, l.i8(), l.toByte(high), l.constant8(4)))
}

// wholeBytes returns the address of register r's element, which begins a byte, as a pointer and a constant to add.
func (a *tiledAccess) wholeBytes(r int) (ir.Value, int64) {
	halves, k := a.addressOf(r)
	p, ok := a.pointers[halves]
	if !ok {
		p = a.l.advance(a.l.Value(a.acc.Base), halves)
		a.pointers[halves] = p
	}
	return p, k / 2
}

// advance moves a pointer by a number of halves.
func (l *lowering) advance(p, halves ir.Value) ir.Value {
	return l.create(nvvm.PtrAdd, p.Type(), p, l.create(arith.ShRSI, l.i64(), halves, l.const64(1)))
}

// The mask of the first half is that of all: a vector is inside or outside as a whole (accessIn).
func (a *tiledAccess) loadHalves(t ir.Type, padding ir.Value) []ir.Value {
	l := a.l
	regs := make([]ir.Value, a.place.layout.Size(linear.Register))
	both := l.joinHalves(padding, padding)
	for r := 0; r < len(regs); r += a.vector {
		addr, off := a.wholeBytes(r)
		for i, b := range l.ld(addr, off, a.maskOf(r), slices.Repeat([]ir.Value{both}, a.vector/2), l.i8(), a.vector/2, a.order...) {
			copy(regs[r+2*i:], l.splitByte(b, t))
		}
	}
	return regs
}

// storeHalves stores the registers, but those that are in free copy others.
func (a *tiledAccess) storeHalves(regs []ir.Value, free int, owner ir.Value) {
	l := a.l
	for r := 0; r < len(regs); r += a.vector {
		if r&free == 0 {
			a.storeBytes(r, regs, l.both(a.maskOf(r), owner))
		}
	}
}

func (a *tiledAccess) storeBytes(r int, regs []ir.Value, mask ir.Value) {
	l := a.l
	bytes := make([]ir.Value, a.vector/2)
	for i := range bytes {
		bytes[i] = l.joinHalves(regs[r+2*i], regs[r+2*i+1])
	}
	addr, off := a.wholeBytes(r)
	l.st(addr, off, bytes, mask, a.order...)
}

// packSmall is packBytes for elements several of which make up a byte.
func (l *lowering) packSmall(op ir.Op) error {
	if err := l.widened(op, op.Result(0), op.Operand(0)); err != nil {
		return err
	}
	width := ir.BitWidth(ir.ElementType(op.Operand(0).Type()))
	regs := l.Values(op.Operand(0))
	out := make([]ir.Value, len(regs)*width/8)
	for i, v := range regs {
		shift, b := i*width%8, l.toByte(v)
		if shift == 0 {
			out[i*width/8] = b
			continue
		}
		b = l.create(arith.ShLI, l.i8(), b, l.constant8(int64(shift)))
		out[i*width/8] = l.create(arith.OrI, l.i8(), out[i*width/8], b)
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// unpackSmall is unpackBytes for elements several of which make up a byte.
func (l *lowering) unpackSmall(op ir.Op) error {
	if err := l.widened(op, op.Operand(0), op.Result(0)); err != nil {
		return err
	}
	elem := l.elem(op.Result(0).Type())
	var out []ir.Value
	for _, b := range l.Values(op.Operand(0)) {
		out = append(out, l.splitByte(b, elem)...)
	}
	l.Bind(op.Result(0), out...)
	return nil
}

// packedBytes returns dense elements of half a byte as global memory has them.
func packedBytes(c *ir.Context, d *ir.DenseElementsAttr) *ir.DenseElementsAttr {
	t := d.Type().(*ir.TensorType)
	n := int(t.NumElements())
	data := make([]byte, (n+1)/2)
	for i := range n {
		data[i/2] |= byte(d.Bits(t.Elem, i)&15) << (i % 2 * 4)
	}
	return byteList(c, data)
}

// bytesOf returns dense elements of half a byte each in a byte.
func bytesOf(c *ir.Context, d *ir.DenseElementsAttr) *ir.DenseElementsAttr {
	t := d.Type().(*ir.TensorType)
	data := make([]byte, t.NumElements())
	for i := range data {
		data[i] = byte(d.Bits(t.Elem, i) & 15)
	}
	return byteList(c, data)
}

func byteList(c *ir.Context, data []byte) *ir.DenseElementsAttr {
	return c.Dense(c.Tensor([]int64{int64(len(data))}, c.Int(8), nil), data)
}
