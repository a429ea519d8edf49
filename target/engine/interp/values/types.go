package values

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// IsHalf reports whether two elements of a type share a byte.
func IsHalf(t ir.Type) bool { return ir.BitWidth(t) == 4 }

// ElementBytes returns the size of an element in memory: one byte for an i1, eight for a pointer, four for a tf32. Two
// elements of four bits share a byte, the first in its lower half.
func ElementBytes(t ir.Type) int {
	if _, ok := Pointee(t); ok {
		return 8
	}
	return max(1, ir.BitWidth(t)/8)
}

// StorageBytes returns the size of n elements in a row.
func StorageBytes(t ir.Type, n int) int {
	if IsHalf(t) {
		return (n + 1) / 2
	}
	return n * ElementBytes(t)
}

// ShapeOf returns the shape of a tile, or of the tile that a buffer holds.
func ShapeOf(v ir.Value) []int64 {
	if t, ok := tile.HeldType(v).(ir.ShapedType); ok {
		return t.Dims()
	}
	return nil
}

// ElemOf returns the element type of a tile, or of the tile that a buffer holds.
func ElemOf(v ir.Value) ir.Type { return ir.ElementType(tile.HeldType(v)) }

// IsTile reports whether values of a type are tiles at some level. Below cuda_tile, tiles of rank 0 are scalars.
func IsTile(t ir.Type) bool {
	switch t.(type) {
	case *cudatile.TileType, *ir.TensorType, *ir.IntegerType, *ir.IndexType, *ir.FloatType, *tile.PtrType:
		return true
	}
	return false
}

// IsToken reports whether values of a type are tokens.
func IsToken(t ir.Type) bool {
	switch t.(type) {
	case *cudatile.TokenType, *tile.TokenType:
		return true
	}
	return false
}

// Pointee returns what an element type points to, if it is a pointer.
func Pointee(t ir.Type) (ir.Type, bool) {
	switch t := t.(type) {
	case *cudatile.PtrType:
		return t.Pointee, true
	case *tile.PtrType:
		return t.Pointee, true
	}
	return nil, false
}

// FormatOf returns the format of a floating-point element type.
func FormatOf(t ir.Type) numeric.Format { return t.(*ir.FloatType).Format }

// WidthOf returns the width of an element type's bit pattern.
func WidthOf(t ir.Type) numeric.Int {
	if _, ok := Pointee(t); ok {
		return numeric.I64
	}
	return numeric.Int(ir.BitWidth(t))
}
