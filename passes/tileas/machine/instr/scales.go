package instr

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes/machine/mma"
)

// Scales of MMAs into TMEM are in TMEM too. Threads store them before each MMA: no copy of the machine brings their
// rows from the order in global memory to that of the lanes.

// ScaleCells returns the layout of the scales of an operand in TMEM.
func ScaleCells(shape []int64, operand int) (linear.Shared, error) {
	return linear.TMEMScales(linear.Ints(shape), mma.ScaleSide(operand))
}

// tmemScaleThreads returns the layouts in which threads have the scales of an MMA to store them there.
func tmemScaleThreads(op ir.Op) (out []linear.Layout, err error) {
	attr := tileas.MMAOf(op)
	for i, v := range mma.Scales(op) {
		l, err := linear.TMEMScaleThreads(transfer.Shape(v), mma.ScaleSide(i), attr.WarpsM*attr.WarpsN)
		if err != nil {
			return nil, op.Errorf("has no layout for its scales: %v", err)
		}
		out = append(out, l)
	}
	return out, nil
}

// A ScalePlace is where an instruction finds the scales of its rows or columns: a column from the first of their
// buffer, and the first byte of the words.
type ScalePlace struct{ Column, Byte int }

// scalePlaceOf returns that for the rows from one on and a step of the K extent, of so many blocks.
func scalePlaceOf(cells linear.Shared, operand, row, step, blocks int) ScalePlace {
	shape := cells.Shape()
	flat := row*shape[1] + step*blocks
	if mma.ScaleSide(operand) == 1 {
		flat = step*blocks*shape[1] + row
	}
	const bytes = 4 * 32 // of a column, in one of the quarters
	at := int(cells.Offset(uint64(flat)))
	return ScalePlace{at / bytes, at % 4}
}
