package matrix

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Fragments returns the rule for the fragments of an instruction with extent n of N, for one whose operands are in registers.
//
// Warps is how many warps hold one instruction's fragments: 1 for mma.sync, 4 for a warpgroup's.
func Fragments(m *sm.Matrix, n int) linear.MMA {
	return linear.MMA{M: m.M, N: n, K: m.K, ElemBits: m.A.Cell, Warps: m.Warps}
}

// TileOf returns how a dot is cut into the instructions that its attribute names, and the layouts that its operands must have for it. Not for FMA, where the layout of the accumulator is
// free.
func TileOf(op ir.Op) (linear.MMATile, error) { return TileOfDepth(op, Depth(op)) }

// TileOfDepth is TileOf for a product with the sum of a dot and operands of another depth.
func TileOfDepth(op ir.Op, depth int) (linear.MMATile, error) {
	row, err := RowOf(op)
	if err != nil {
		return linear.MMATile{}, err
	}
	a := tileas.MMAOf(op)
	shape := extents(op.Operand(2))
	r := len(shape)
	t, err := Fragments(row, a.N).Tile(shape[:r-2], shape[r-2], shape[r-1], depth, a.WarpsM, a.WarpsN)
	if err == nil {
		t, err = t.Interleave(a.InterleaveM, a.InterleaveN)
	}
	if err != nil {
		return t, op.Errorf("has no fragments: %v", err)
	}
	return t, nil
}

func extents(v ir.Value) []int {
	t := v.Type().(*ir.TensorType)
	out := make([]int, len(t.Shape))
	for i, d := range t.Shape {
		out[i] = int(d)
	}
	return out
}
