package tileaslegalizedot

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// expandScaled multiplies the operands of a dot_scaled by their scales first. A scale is a power of two, or has few digits as its elements have: bf16 holds the
// product exactly, unless it leaves the range of bf16, which is that of f32.
func expandScaled(op ir.Op) {
	b := ir.BuilderBefore(op)
	bf16 := op.Context().BF16()
	convert := func(v ir.Value) ir.Value {
		return b.Create(arith.FToF, []ir.Value{v}, []ir.Type{arith.WithElement(v.Type(), bf16)}).Result(0)
	}
	rank := len(op.Operand(0).Type().(*ir.TensorType).Shape)
	var operands []ir.Value
	for i, dim := range []int{rank - 1, rank - 2} {
		v := convert(op.Operand(i))
		scale := repeat(b, convert(op.Operand(3+i)), v.Type().(*ir.TensorType), dim)
		operands = append(operands, b.Create(arith.MulF, []ir.Value{v, scale}, []ir.Type{v.Type()}).Result(0))
	}
	dot := b.Create(tileas.Level.Dot, append(operands, op.Operand(2)), []ir.Type{op.Result(0).Type()})
	op.ReplaceWith(dot.Result(0))
}

// repeat gives each element of v as many copies along dim, next to each other, as make it the type to.
func repeat(b *ir.Builder, v ir.Value, to *ir.TensorType, dim int) ir.Value {
	c := b.Context()
	t := v.Type().(*ir.TensorType)
	n := to.Shape[dim] / t.Shape[dim]
	if n == 1 {
		return v
	}
	shape := func(copies int64) []int64 {
		out := append([]int64{}, t.Shape[:dim+1]...)
		return append(append(out, copies), t.Shape[dim+1:]...)
	}
	v = b.Create(tileas.Level.Reshape, []ir.Value{v}, []ir.Type{c.Tensor(shape(1), t.Elem, nil)}).Result(0)
	v = b.Create(tileas.Level.Broadcast, []ir.Value{v}, []ir.Type{c.Tensor(shape(n), t.Elem, nil)}).Result(0)
	return b.Create(tileas.Level.Reshape, []ir.Value{v}, []ir.Type{to}).Result(0)
}
