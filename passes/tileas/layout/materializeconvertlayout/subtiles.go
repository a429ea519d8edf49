package materializeconvertlayout

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// inSubtiles converts subtile by subtile through one buffer of the size of a subtile.
//
//	%x2 = convert_layout (reshape %x) ; %buf = alloc_shared
//	%p0 = extract %x2[0] ; local_store %p0, %buf ; (barrier) ; %q0 = local_load %buf ; (barrier)
//	%p1 = extract %x2[1] ; local_store %p1, %buf ; ...
//	%y  = reshape (convert_layout (cat %q0, %q1))
//
// Everything but the trips through the buffer renames registers.
func inSubtiles(c linear.Cut, op ir.Op, t *ir.TensorType) error {
	part := op.Context().Tensor(linear.Int64s(c.Part), t.Elem, tileas.Layout(op.Context(), c.Dst))
	through, err := tileas.BufferBetween(part, c.Src, c.Dst, feedsDot(op))
	if err != nil {
		return op.Errorf("%v", err)
	}
	b := ir.BuilderBefore(op).WithLoc(op.Loc())
	x := tileas.AsParts(b, reshape(b, op.Operand(0), c.Shape), c.Src)
	buf := b.Create(tileas.AllocShared, nil, []ir.Type{through}).Result(0)
	var load func(at []int) ir.Value
	load = func(at []int) ir.Value {
		d := len(at)
		if d == len(c.Shape) {
			b.Create(tileas.LocalStore, []ir.Value{tileas.TakePart(b, x, c.Src, at), buf}, nil)
			return b.Create(tileas.LocalLoad, []ir.Value{buf}, []ir.Type{part}).Result(0)
		}
		var row []ir.Value
		for i := range c.Shape[d] / c.Part[d] {
			row = append(row, load(append(slices.Clone(at), i)))
		}
		return tileas.Concat(b, row, d)
	}
	y := load(nil)
	dst, _ := tileas.LayoutOf(t)
	to, _ := dst.Reshape(c.Shape) // CutInto has done it
	// The subtiles in order may number the registers in another way than the result's layout does. That moves
	// registers only.
	if got, _ := tileas.LayoutOf(y.Type()); !got.Equal(to) {
		y = b.Create(tileas.ConvertLayout, []ir.Value{y}, []ir.Type{tileas.WithLayout(y.Type().(*ir.TensorType), to)}).Result(0)
	}
	op.ReplaceWith(reshape(b, y, linear.Ints(t.Shape)))
	return nil
}

func reshape(b *ir.Builder, v ir.Value, shape []int) ir.Value {
	t := v.Type().(*ir.TensorType)
	if slices.Equal(t.Shape, linear.Int64s(shape)) {
		return v
	}
	l, _ := tileas.LayoutOf(t)
	l, _ = l.Reshape(shape) // CutInto has done it, and the way back has the same elements
	return b.Create(tileas.Level.Reshape, []ir.Value{v}, []ir.Type{b.Context().Tensor(linear.Int64s(shape), t.Elem, tileas.Layout(b.Context(), l))}).Result(0)
}
