package materializeconvertlayout

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
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
	layout, err := swizzle(op.Context(), c.Src, c.Dst, tile.ElementBytes(t.Elem), feedsDot(op))
	if err != nil {
		return op.Errorf("%v", err)
	}
	b := ir.BuilderBefore(op)
	b.Loc = op.Loc()
	x := tileas.AsParts(b, reshape(b, op.Operand(0), c.Shape), c.Src)
	buf := b.Create(tileas.AllocShared, nil, []ir.Type{tileas.Buffer(op.Context(), wide(c.Part), t.Elem, layout)}).Result(0)
	part := op.Context().Tensor(wide(c.Part), t.Elem, tileas.Layout(op.Context(), c.Dst))
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
		for len(row) > 1 {
			for i := range len(row) / 2 {
				row[i] = join(b, row[2*i], row[2*i+1], d)
			}
			row = row[:len(row)/2]
		}
		return row[0]
	}
	y := load(nil)
	dst, _ := tileas.LayoutOf(t)
	to, err := dst.Reshape(c.Shape)
	if err != nil {
		return op.Errorf("%v", err)
	}
	// The subtiles in order may number the registers in another way than the result's layout does. That moves
	// registers only.
	if got, _ := tileas.LayoutOf(y.Type()); !got.Equal(to) {
		y = b.Create(tileas.ConvertLayout, []ir.Value{y}, []ir.Type{tileas.WithLayout(y.Type().(*ir.TensorType), to)}).Result(0)
	}
	if !slices.Equal(y.Type().(*ir.TensorType).Shape, t.Shape) {
		y = b.Create(tileas.Level.Reshape, []ir.Value{y}, []ir.Type{t}).Result(0)
	}
	op.ReplaceWith(y)
	return nil
}

func reshape(b *ir.Builder, v ir.Value, shape []int) ir.Value {
	t := v.Type().(*ir.TensorType)
	if slices.Equal(t.Shape, wide(shape)) {
		return v
	}
	l, _ := tileas.LayoutOf(t)
	l, _ = l.Reshape(shape) // newCut has done it
	return b.Create(tileas.Level.Reshape, []ir.Value{v}, []ir.Type{b.Context().Tensor(wide(shape), t.Elem, tileas.Layout(b.Context(), l))}).Result(0)
}

// join concatenates two tensors, in the layout that has the registers of the second after those of the first.
func join(b *ir.Builder, lhs, rhs ir.Value, dim int) ir.Value {
	ctx, t := b.Context(), lhs.Type().(*ir.TensorType)
	shape := slices.Clone(t.Shape)
	shape[dim] *= 2
	l, _ := tileas.LayoutOf(t)
	narrow := make([]int, len(shape))
	for d, n := range shape {
		narrow[d] = int(n)
	}
	whole, _ := l.Whole(narrow)
	return b.Create(tileas.Level.Cat, []ir.Value{lhs, rhs}, []ir.Type{ctx.Tensor(shape, t.Elem, tileas.Layout(ctx, whole))},
		ir.NamedAttr{Name: tile.AttrDim, Value: ctx.IntAttr(ctx.Int(64), int64(dim))}).Result(0)
}

func wide(shape []int) []int64 {
	out := make([]int64, len(shape))
	for i, n := range shape {
		out[i] = int64(n)
	}
	return out
}
