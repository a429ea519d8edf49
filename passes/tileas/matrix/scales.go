package matrix

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Scales of products into tensor memory are there too: threads store them in front of each product, as no copy by the machine makes their order of rows in global memory that of the lanes.

// scaleSide returns the dimension of the rows, or columns, of the scales of a factor.
func scaleSide(factor int) int { return factor }

// ScaleCells returns the layout of the scales of a factor in tensor memory.
func ScaleCells(shape []int64, factor int) (linear.Shared, error) {
	return linear.TensorScales(ints(shape), scaleSide(factor))
}

// tensorScaleThreads returns the layouts in which threads have the scales of a product to store them there.
func tensorScaleThreads(op ir.Op) (out []linear.Layout, err error) {
	attr := tileas.MMAOf(op)
	for i, v := range Scales(op) {
		l, err := linear.TensorScaleThreads(extents(v), scaleSide(i), attr.WarpsM*attr.WarpsN)
		if err != nil {
			return nil, op.Errorf("has no layout for its scales: %v", err)
		}
		out = append(out, l)
	}
	return out, nil
}

// scaleColumns returns how many columns of tensor memory the scales of a factor take: one for 32 words of four.
func scaleColumns(shape []int64) int {
	n := 1
	for _, extent := range shape {
		n *= int(extent)
	}
	return n / 128
}

// fitsScales reports whether the instruction finds the scales of a product in tensor memory, and the factors in shared memory: there elements of less than a byte are two to a byte (Pairs), which instructions that take wider ones
// too want otherwise.
func fitsScales(op ir.Op, m *sm.Matrix, n int, a Arrangement) bool {
	types := Types(op)
	if types.A.Bits() != m.A.Cell || types.B.Bits() != m.B.Cell || n%32 != 0 || len(tile.Shape(op.Operand(2).Type())) != 2 || int(tile.Shape(op.Operand(2).Type())[0])%m.M != 0 {
		return false
	}
	for i, v := range Scales(op) {
		if _, err := linear.TensorScaleThreads(ints(tile.Shape(v.Type())), scaleSide(i), a.M*a.N); err != nil {
			return false
		}
	}
	return true
}

// ScaledInTensorMemory reports whether all scaled products of a kernel can be computed by the instructions of tensor memory: whether one of those takes each, and all sums have room there at once. It is asked before layouts
// are chosen, where a product can still be made of others.
func ScaledInTensorMemory(arch *sm.Arch, warps int, products []ir.Op) bool {
	columns := 0
	for _, op := range products {
		fits := false
		for _, a := range Arrangements(warps) {
			row, _ := ChooseAsync(arch, op, a)
			fits = fits || row != nil && inTensorMemory(row.Family)
		}
		switch {
		case fits:
			columns += Columns(op)
		case scaled(op):
			return false
		}
	}
	return columns <= tileas.TensorColumns
}

// A ScalePlace is where an instruction finds the scales of its rows or columns: a column from the first of their buffer, and the first byte of the words.
type ScalePlace struct{ Column, Byte int }

// scalePlaceOf returns that for the rows from one on and a step of the depth, of so many blocks.
func scalePlaceOf(cells linear.Shared, factor, row, step, blocks int) ScalePlace {
	shape := cells.Shape()
	flat := row*shape[1] + step*blocks
	if scaleSide(factor) == 1 {
		flat = step*blocks*shape[1] + row
	}
	const bytes = 4 * 32 // of a column, in one of the quarters
	at := int(cells.Offset(uint64(flat)))
	return ScalePlace{at / bytes, at % 4}
}

func ints(shape []int64) []int {
	out := make([]int, len(shape))
	for i, n := range shape {
		out[i] = int(n)
	}
	return out
}
