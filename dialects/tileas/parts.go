package tileas

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// PartType returns the type of a part of a tensor, of the shape of the part's layout.
func PartType(t *ir.TensorType, part linear.Layout) *ir.TensorType {
	shape := part.Shape()
	wide := make([]int64, len(shape))
	for d, n := range shape {
		wide[d] = int64(n)
	}
	return t.Context().Tensor(wide, t.Elem, Layout(t.Context(), part))
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
