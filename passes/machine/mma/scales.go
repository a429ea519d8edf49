package mma

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/target/sm"
)

// ScaleSide returns the dimension of the rows, or columns, of the scales of an operand: scales of A are [M, blocks],
// those of B [blocks, N].
func ScaleSide(operand int) int { return operand }

// scaleColumns returns how many columns of TMEM the scales of an operand take: one for 32 words of four.
func scaleColumns(shape []int) int { return elements(shape) / 128 }

// fitsScales reports whether the instruction finds the scales of an MMA in TMEM, and the operands in shared memory.
func (c *candidate) fitsScales(m *sm.Matrix, n int) bool {
	// Elements of less than a byte are two to a byte in shared memory (Pairs). Instructions that take wider ones too
	// want each in a byte of its own.
	if c.types.A.Bits() != m.A.Cell || c.types.B.Bits() != m.B.Cell {
		return false
	}
	// Scales of 32 rows share a column, and nobody has batches of them.
	if n%32 != 0 || len(c.shape) != 2 || c.rows%m.M != 0 {
		return false
	}
	for i, v := range Scales(c.op) {
		if _, err := linear.TMEMScaleThreads(linear.Ints(tile.Shape(v.Type())), ScaleSide(i), c.tiling.Warps()); err != nil {
			return false
		}
	}
	return true
}

// ScaledInTMEM reports whether all scaled MMAs of a kernel can be computed by instructions into TMEM. Each must have
// such an instruction, and all accumulators must have room there at once.
//
// It is asked before layouts are chosen, where an MMA can still be made of others.
func ScaledInTMEM(arch *sm.Arch, warps int, mmas []ir.Op) bool {
	columns := 0
	for _, op := range mmas {
		switch {
		case AccumulatorsInTMEM(arch, op, warps):
			columns += Columns(op)
		case Scaled(op):
			return false
		}
	}
	return columns <= linear.ColumnsOfTMEM
}
