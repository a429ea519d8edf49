package core

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// Elements of less than a byte have a register each, as a byte with zeros above: arithmetic works on one element at a
// time, and no register has 4 bits. In global memory two elements of half a byte share one, the first in its lower
// half:
//
//	byte address   base          base + 1      base + 2
//	elements       [e1 | e0]     [e3 | e2]     [e5 | e4]

// ToByte returns an element of less than a byte in the low bits of one.
func (l *Lowering) ToByte(v ir.Value) ir.Value { return l.Make(arith.ExtUI, l.I8(), l.Bits(v)) }

// LowBits returns the low bits of a byte as an element of less than a byte.
func (l *Lowering) LowBits(b ir.Value, elem ir.Type) ir.Value {
	bits := ir.Type(l.Ctx.Int(ir.BitWidth(elem)))
	v := l.Make(arith.TruncI, bits, b)
	if elem == bits {
		return v
	}
	return l.Make(arith.Bitcast, elem, v)
}

// SplitByte returns the elements of less than a byte that make it up, the lowest first.
func (l *Lowering) SplitByte(b ir.Value, elem ir.Type) (out []ir.Value) {
	for shift := 0; shift < 8; shift += ir.BitWidth(elem) {
		v := b
		if shift > 0 {
			v = l.Make(arith.ShRUI, l.I8(), b, l.Const8(int64(shift)))
		}
		out = append(out, l.LowBits(v, elem))
	}
	return out
}

// JoinHalves returns the byte of two elements of half a byte.
func (l *Lowering) JoinHalves(low, high ir.Value) ir.Value {
	return l.Make(arith.OrI, l.I8(), l.ToByte(low), l.Make(arith.ShLI, l.I8(), l.ToByte(high), l.Const8(4)))
}

// PackedBytes returns dense elements of half a byte as global memory has them.
func PackedBytes(c *ir.Context, d *ir.DenseElementsAttr) *ir.DenseElementsAttr {
	t := d.Type().(*ir.TensorType)
	n := int(t.NumElements())
	data := make([]byte, (n+1)/2)
	for i := range n {
		data[i/2] |= byte(d.Bits(t.Elem, i)&15) << (i % 2 * 4)
	}
	return byteList(c, data)
}

// BytesOf returns dense elements of half a byte each in a byte.
func BytesOf(c *ir.Context, d *ir.DenseElementsAttr) *ir.DenseElementsAttr {
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
