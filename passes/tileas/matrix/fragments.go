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

// TileOf returns how a dot is cut into the instructions that its attribute names, and the layouts that its operands must have for it, by their own dimensions: where the instruction multiplies the transposes, A is that of the
// second one. Not for FMA, where the layout of the accumulator is free.
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
	if inTensorMemory(row.Family) {
		return sumInTensorMemory(op, shape, a)
	}
	rows, cols := shape[r-2], shape[r-1]
	if a.Transposed {
		rows, cols = cols, rows
	}
	t, err := Fragments(row, a.N).Tile(shape[:r-2], rows, cols, depth, a.WarpsM, a.WarpsN)
	if err == nil {
		interleaveN := a.InterleaveN
		if t.B.Dims() == 0 { // in no registers, or there for the way to shared memory only (Passing)
			interleaveN = 1
		}
		t, err = t.Interleave(a.InterleaveM, interleaveN)
	}
	if err == nil && a.Transposed {
		if t.A, err = turn(t.A); err == nil {
			t.C, err = turn(t.C)
		}
	}
	if err != nil {
		return t, op.Errorf("has no fragments: %v", err)
	}
	return t, nil
}

// sumInTensorMemory returns the layout in which warps take the sum of a product from tensor memory; its factors are in no registers.
func sumInTensorMemory(op ir.Op, shape []int, a *tileas.MMAAttr) (t linear.MMATile, err error) {
	if t.C, err = linear.TensorSum(shape, a.WarpsM, a.WarpsN); err != nil {
		return t, op.Errorf("has no layout for its sum: %v", err)
	}
	return t, nil
}

// ScalesOf returns the layouts that the scales of a product must have for the instruction that its attribute names, for so many blocks.
func ScalesOf(op ir.Op, t linear.MMATile, blocks int) (a, b linear.Layout, err error) {
	row, err := RowOf(op)
	if err != nil {
		return a, b, err
	}
	at := tileas.MMAOf(op)
	if a, b, err = t.Scales(Fragments(row, at.N), blocks, row.K/row.Scale.Block, at.WarpsM, at.WarpsN, at.InterleaveM, at.InterleaveN); err != nil {
		return a, b, op.Errorf("has no scales for its instruction: %v", err)
	}
	return a, b, nil
}

// blocks returns how many scales a product has along K for each row and column.
func blocks(op ir.Op) int {
	shape := tileas.HeldType(Scales(op)[0]).(*ir.TensorType).Shape
	return int(shape[len(shape)-1])
}

// LayoutsOf returns the layouts that the operands of a product must have, in their order; the zero Layout for one that is taken from shared memory, or may be.
func LayoutsOf(op ir.Op) ([]linear.Layout, linear.MMATile, error) {
	t, err := TileOf(op)
	if err != nil {
		return nil, t, err
	}
	if Async(op) {
		want := []linear.Layout{{}, {}, t.C}
		if scaled(op) {
			scales, err := tensorScaleThreads(op)
			if err != nil {
				return nil, t, err
			}
			want = append(want, scales...)
		}
		return want, t, nil
	}
	want := []linear.Layout{t.A, t.B, t.C}
	if op.Is(tileas.Level.DotScaled) {
		a, b, err := ScalesOf(op, t, blocks(op))
		if err != nil {
			return nil, t, err
		}
		want = append(want, a, b)
	}
	return want, t, nil
}

func extents(v ir.Value) []int {
	t := v.Type().(*ir.TensorType)
	out := make([]int, len(t.Shape))
	for i, d := range t.Shape {
		out[i] = int(d)
	}
	return out
}
