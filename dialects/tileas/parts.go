package tileas

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// PartType returns the type of a part of a tensor, of the shape of the part's layout.
func PartType(t *ir.TensorType, part linear.Layout) *ir.TensorType {
	return t.Context().Tensor(linear.Int64s(part.Shape()), t.Elem, Layout(t.Context(), part))
}

// AsParts gives a tensor the layout in which the registers of a part are next to each other, as TakePart wants it.
// Where the part's layout is one of the tensor's own (linear.Layout.Part) that only renames registers. A layout
// that has no such parts leaves the tensor as it is, which TakePart's lowering rejects.
func AsParts(b *ir.Builder, v ir.Value, part linear.Layout) ir.Value {
	t := v.Type().(*ir.TensorType)
	l, _ := LayoutOf(t)
	whole, err := part.Whole(l.Shape())
	if err != nil || whole.Equal(l) {
		return v
	}
	return b.Create(ConvertLayout, []ir.Value{v}, []ir.Type{WithLayout(t, whole)}).Result(0)
}

// TakePart returns the part of a tensor with the given numbers along the dimensions.
func TakePart(b *ir.Builder, v ir.Value, part linear.Layout, at []int) ir.Value {
	operands := []ir.Value{v}
	for _, i := range at {
		operands = append(operands, arith.NewInt(b, b.Context().Int(32), int64(i)))
	}
	return b.Create(Level.Extract, operands, []ir.Type{PartType(v.Type().(*ir.TensorType), part)}).Result(0)
}

// Concat concatenates tensors of one layout along a dimension, a power of two of them. The layout of a pair has the
// registers of the second tensor after those of the first, so that this renames registers.
func Concat(b *ir.Builder, parts []ir.Value, dim int) ir.Value {
	for c := b.Context(); len(parts) > 1; {
		t := parts[0].Type().(*ir.TensorType)
		shape := slices.Clone(t.Shape)
		shape[dim] *= 2
		l, _ := LayoutOf(t)
		l, _ = l.Whole(linear.Ints(shape)) // doubling a layout cannot fail
		pair := []ir.Type{c.Tensor(shape, t.Elem, Layout(c, l))}
		for i := range len(parts) / 2 {
			parts[i] = b.Create(Level.Cat, parts[2*i:2*i+2], pair, ir.NamedAttr{Name: tile.AttrDim, Value: c.IntAttr(c.Int(64), int64(dim))}).Result(0)
		}
		parts = parts[:len(parts)/2]
	}
	return parts[0]
}
