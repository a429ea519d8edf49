package instr

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// Fragments returns the rule for the fragments of an instruction with extent n of N, for one whose operands are in
// registers.
//
// Warps is how many warps hold one instruction's fragments: 1 for mma.sync, 4 for a warpgroup's.
func Fragments(m *sm.Matrix, n int) linear.MMA {
	return linear.MMA{M: m.M, N: n, K: m.K, ElemBits: m.A.Cell, Warps: m.Warps}
}

// TileOf returns how a dot is cut into the instructions that its attribute names, and the layouts that its operands
// must have, by their own dimensions. Where the instruction multiplies the transposes, A is the layout of the second
// operand. FMA has no such tile: the layout of its accumulator is free.
func TileOf(op ir.Op) (linear.MMATile, error) { return TileOfK(op, mma.KExtent(op)) }

// TileOfK is TileOf for an MMA with the accumulator of a dot and operands of another K extent.
func TileOfK(op ir.Op, kExtent int) (linear.MMATile, error) {
	row, err := RowOf(op)
	if err != nil {
		return linear.MMATile{}, err
	}
	a := tileas.MMAOf(op)
	shape := transfer.Shape(op.Operand(2))
	r := len(shape)
	if mma.InTMEM(row.Family) { // warps take the accumulator from there, and its operands are in no registers
		c, err := linear.TMEMAccumulator(shape, a.WarpsM, a.WarpsN)
		if err != nil {
			return linear.MMATile{}, op.Errorf("has no layout for its accumulator: %v", err)
		}
		return linear.MMATile{C: c}, nil
	}
	rows, cols := shape[r-2], shape[r-1]
	if a.Transposed {
		rows, cols = cols, rows
	}
	t, err := Fragments(row, a.N).Tile(shape[:r-2], rows, cols, kExtent, a.WarpsM, a.WarpsN)
	if err == nil {
		interleaveN := a.InterleaveN
		if t.B.Dims() == 0 { // in no registers, or there for the way to shared memory only (Passing)
			interleaveN = 1
		}
		t, err = t.Interleave(a.InterleaveM, interleaveN)
	}
	if err == nil && a.Transposed {
		t.A, t.C = iteration(t.A), iteration(t.C)
	}
	if err != nil {
		return t, op.Errorf("has no fragments: %v", err)
	}
	return t, nil
}

// ScalesOf returns the layouts that the scales of an MMA must have for the instruction that its attribute names,
// for so many blocks. The tile is that of the MMA.
func ScalesOf(op ir.Op, t linear.MMATile, blocks int) (a, b linear.Layout, err error) {
	row, _ := RowOf(op) // the tile is made of it
	at := tileas.MMAOf(op)
	if a, b, err = t.Scales(Fragments(row, at.N), blocks, row.K/row.Scale.Block, at.WarpsM, at.WarpsN, at.InterleaveM, at.InterleaveN); err != nil {
		return a, b, op.Errorf("has no scales for its instruction: %v", err)
	}
	return a, b, nil
}

// LayoutsOf returns the layouts that the operands of an MMA must have, in their order; the zero Layout for one that
// is taken from shared memory, or may be.
func LayoutsOf(op ir.Op) ([]linear.Layout, linear.MMATile, error) {
	t, err := TileOf(op)
	if err != nil {
		return nil, t, err
	}
	if Async(op) {
		want := []linear.Layout{{}, {}, t.C}
		if mma.Scaled(op) {
			scales, err := tmemScaleThreads(op)
			if err != nil {
				return nil, t, err
			}
			want = append(want, scales...)
		}
		return want, t, nil
	}
	want := []linear.Layout{t.A, t.B, t.C}
	if op.Is(tileas.Level.DotScaled) {
		a, b, err := ScalesOf(op, t, mma.Blocks(op))
		if err != nil {
			return nil, t, err
		}
		want = append(want, a, b)
	}
	return want, t, nil
}
