package instr

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/target/sm"
)

// An asynchronous instruction takes A from registers or shared memory, and B from shared memory by a
// descriptor, which knows elements of 8 and 32 bits along K only. What lies in memory otherwise must pass
// registers. Where that is A, it may stay there; where it is B, the MMA of the transposes has it as its A. Only if
// neither will do threads store it to shared memory again.

// Side returns which operand of the instruction an operand of an MMA is: 0 of A, 1 of B.
func Side(op ir.Op, operand int) int {
	if a := tileas.MMAOf(op); a != nil && a.Transposed {
		return 1 - operand
	}
	return operand
}

// InstructionTypes returns the element types of an MMA as its instruction has them.
func InstructionTypes(op ir.Op) sm.MatrixTypes {
	t := mma.Types(op)
	if a := tileas.MMAOf(op); a != nil && a.Transposed {
		t.A, t.B = t.B, t.A
	}
	return t
}

// Passing returns the layout in which an operand of an asynchronous MMA is in registers. A has that of the instruction.
// B is spread over all warps so that each element is in as few as can be, with neighbours along K in one register.
func Passing(op ir.Op, operand int) (linear.Layout, error) {
	t, err := TileOf(op)
	if err != nil || Side(op, operand) == 0 {
		return t.A, err
	}
	row, _ := RowOf(op)              // TileOf has it
	const tileRows, tileCols = 16, 8 // of the fragments of a warp; those of a group have the same in each of its warps
	shape := transfer.Shape(op.Operand(operand))
	r := len(shape)
	rows, kExtent := sides(r, operand)
	a := tileas.MMAOf(op)
	all := linear.MMA{M: tileRows, N: tileCols, K: row.K, ElemBits: row.B.Cell, Warps: 1}
	t, err = all.Tile(shape[:r-2], shape[rows], tileCols, shape[kExtent], a.WarpsM*a.WarpsN, 1)
	if err != nil {
		return t.A, err
	}
	if dealt, err := t.Interleave(a.InterleaveN, 1); err == nil {
		t = dealt
	}
	if operand == 1 {
		return iteration(t.A), nil
	}
	return t.A, nil
}

// Passes reports whether an operand of an asynchronous MMA goes through registers as the instruction wants
// it there, although it may come from memory.
func Passes(op ir.Op, operand int) bool {
	l, ok := tileas.LayoutOf(op.Operand(operand).Type())
	if !ok || !Async(op) || InTMEM(op) {
		return false
	}
	want, err := Passing(op, operand)
	return err == nil && l.Equal(want)
}

// iteration returns the layout of the transposed matrices.
func iteration(l linear.Layout) linear.Layout {
	perm := make([]int, l.Dims())
	for i := range perm {
		perm[i] = i
	}
	r := len(perm)
	perm[r-2], perm[r-1] = r-1, r-2
	l, _ = l.Permute(perm)
	return l
}
