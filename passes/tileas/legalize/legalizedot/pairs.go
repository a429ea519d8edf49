package legalizedot

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// Instructions that multiply f4E2M1FN alone read two elements, along K, from a byte of shared memory. A tile has a byte
// for each element there, and half a byte has no address. So the operands of such an MMA become tiles of bytes, which
// are transferred like all bytes. If the elements were unpacked from bytes along K, those bytes are used.

// pairs packs the operands of a scaled dot into bytes if they are half bytes, and reports whether they were.
func pairs(op ir.Op) bool {
	if !tile.IsHalf(ir.ElementType(op.Operand(0).Type())) {
		return false
	}
	b := ir.BuilderBefore(op).WithLoc(op.Loc())
	rank := len(tile.Shape(op.Operand(0).Type()))
	op.SetOperand(0, bytesAlong(b, op.Operand(0), rank-1))
	op.SetOperand(1, bytesAlong(b, op.Operand(1), rank-2))
	op.SetAttr(tile.AttrPairs, op.Context().Unit())
	return true
}

// bytesAlong returns a tile of half bytes as bytes that hold two elements along a dimension.
func bytesAlong(b *ir.Builder, v ir.Value, dim int) ir.Value {
	def, last := v.DefiningOp(), len(tile.Shape(v.Type()))-1
	switch {
	// The permutation is applied to the bytes instead, whose pairs then lie along another dimension of its
	// operand.
	case !def.IsNil() && def.Is(tileas.Level.Permute):
		perm := def.Attr(tile.AttrPerm).(*ir.DenseArrayAttr).Values
		return permuted(b, bytesAlong(b, def.Operand(0), int(perm[dim])), perm)
	// Pack works along the last dimension, so another one is moved there and back.
	case dim != last:
		perm := exchange(last+1, dim) // its own inverse
		return permuted(b, packed(b, permuted(b, v, perm)), perm)
	case !def.IsNil() && def.Is(tileas.Level.Unpack):
		if t := def.Operand(0).Type().(*ir.TensorType); ir.BitWidth(t.Elem) == 8 {
			return def.Operand(0)
		}
	}
	return packed(b, v)
}

// packed packs two elements along the last dimension of a tile into a byte.
func packed(b *ir.Builder, v ir.Value) ir.Value {
	t := v.Type().(*ir.TensorType)
	shape := slices.Clone(t.Shape)
	shape[len(shape)-1] /= 2
	return b.Create(tileas.Level.Pack, []ir.Value{v}, []ir.Type{t.Context().Tensor(shape, t.Context().Int(8), nil)}).Result(0)
}

// exchange returns the permutation that exchanges a dimension and the last one.
func exchange(rank, dim int) []int64 {
	perm := make([]int64, rank)
	for i := range perm {
		perm[i] = int64(i)
	}
	perm[dim], perm[rank-1] = int64(rank-1), int64(dim)
	return perm
}

func permuted(b *ir.Builder, v ir.Value, perm []int64) ir.Value {
	t := v.Type().(*ir.TensorType)
	shape := ir.Map(perm, func(d int64) int64 { return t.Shape[d] })
	return b.Create(tileas.Level.Permute, []ir.Value{v}, []ir.Type{t.Context().Tensor(shape, t.Elem, nil)}, ir.NamedAttr{Name: tile.AttrPerm, Value: t.Context().DenseI64(perm...)}).Result(0)
}
