package transfers

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// A shaped is a layout of registers or of a buffer.
type shaped[L any] interface {
	Reshape(shape []int) (L, error)
	Permute(perm []int) (L, error)
}

// across returns the layout after a permutation or a reshape, or back before it; other steps keep it. The step has tensors
// with layouts of these shapes, so that there is no error.
func across[L shaped[L]](l L, step ir.Op, back bool) L {
	switch {
	case step.Is(tileas.Level.Permute):
		l, _ = l.Permute(linear.Ints(permutation(step, back)))
	case step.Is(tileas.Level.Reshape):
		l, _ = l.Reshape(linear.Ints(reshaped(step, back)))
	}
	return l
}

// permutation returns the dimensions that a permute exchanges.
func permutation(step ir.Op, back bool) []int64 {
	perm := tile.Permutation(step)
	if !back {
		return perm
	}
	inverse := make([]int64, len(perm))
	for i, p := range perm {
		inverse[p] = int64(i)
	}
	return inverse
}

// reshaped returns the shape on the other side of a reshape.
func reshaped(step ir.Op, back bool) []int64 {
	if !back {
		return tile.Shape(step.Result(0).Type())
	}
	return tile.Shape(step.Operand(0).Type())
}

// viewAcross returns a buffer as it is after some steps, made by views of it: a reshape is the same memory with another
// layout.
func viewAcross(b *ir.Builder, buffer ir.Value, steps []ir.Op, back bool) ir.Value {
	c := b.Context()
	for _, step := range steps {
		t := buffer.Type().(*tileas.BufferType)
		switch {
		case step.Is(tileas.Level.Permute):
			perm := permutation(step, back)
			to, _ := tileas.PermutedBuffer(t, perm) // by all of its dimensions
			buffer = b.Create(tileas.BufferPermute, []ir.Value{buffer}, []ir.Type{to}, ir.NamedAttr{Name: tileas.AttrPerm, Value: c.DenseArray(c.Int(64), perm...)}).Result(0)
		case step.Is(tileas.Level.Reshape):
			layout := across(t.Layout.Shared, step, back)
			buffer = b.Create(tileas.BufferReinterpret, []ir.Value{buffer}, []ir.Type{tileas.Buffer(c, reshaped(step, back), t.Elem, tileas.SharedLayout(c, layout))}).Result(0)
		}
	}
	return buffer
}
