package instr

import (
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/target/sm"
)

// Align is the alignment of a buffer that every descriptor accepts, in bytes. The machine swizzles by bits of
// addresses, in patterns of 8 rows of 128 bytes.
const Align = 1024

// sides returns the dimensions of an operand of an MMA: that of the rows or columns of the result, and the K extent.
func sides(rank, operand int) (rows, kExtent int) {
	if operand == 0 {
		return rank - 2, rank - 1
	}
	return rank - 1, rank - 2
}

// BufferLayout returns the layout of a buffer from which the instruction of an MMA reads an operand that is contiguous
// along a dimension, if it can. Only elements of 16 bits may be contiguous along the rows or columns.
func BufferLayout(op ir.Op, operand, together int) (linear.Shared, error) {
	row, err := RowOf(op)
	if err != nil {
		return linear.Shared{}, err
	}
	t := tile.HeldType(op.Operand(operand)).(*ir.TensorType)
	_, kExtent := sides(len(t.Shape), operand)
	o := [2]sm.Operand{row.A, row.B}[Side(op, operand)]
	if together != kExtent && (!o.EitherMajor || together < len(t.Shape)-2) {
		return linear.Shared{}, fmt.Errorf("%s takes elements of %d bits from shared memory along K only", row.Family, o.Cell)
	}
	shape := linear.Ints(t.Shape)
	l, err := linear.OperandLayout(shape, 8*tile.ElementBytes(t.Elem), linear.ContiguousFirst(len(shape), together))
	if err == nil {
		_, err = describe(op, row, operand, t, l)
	}
	return l, err
}

// Describe returns the descriptor of a buffer for the instruction of an MMA.
func Describe(op ir.Op, operand int, b *tileas.BufferType) (linear.Descriptor, error) {
	row, err := RowOf(op)
	if err != nil {
		return linear.Descriptor{}, err
	}
	return describe(op, row, operand, b.HeldTile().(*ir.TensorType), b.Layout.Shared)
}

// bytesTogether is what the columns of an instruction that reads bytes along them must be a multiple of (PTX ISA,
// tcgen05.mma, N shapes for 8-bit transposed B).
const bytesTogether = 16

func describe(op ir.Op, row *sm.Matrix, operand int, t *ir.TensorType, l linear.Shared) (linear.Descriptor, error) {
	rows, kExtent := sides(len(t.Shape), operand)
	side := Side(op, operand)
	extent := [2]int{row.M, tileas.MMAOf(op).N}[side]
	if row.CTAs > 1 { // each has a part of both
		extent /= row.CTAs
	}
	d, err := l.Describe(rows, kExtent, extent, row.K/tile.PerElement(op), 8*tile.ElementBytes(t.Elem))
	o := [2]sm.Operand{row.A, row.B}[side]
	if err == nil && d.RowsTogether && !o.EitherMajor {
		err = fmt.Errorf("%s takes elements of %d bits from shared memory along K only", row.Family, o.Cell)
	}
	if err == nil && side == 0 && tileas.MMAOf(op).InterleaveM > 1 {
		err = errors.New("its rows are dealt out to fragments, which threads hold")
	}
	if err == nil && d.RowsTogether && operand == 1 && o.Cell == 8 && extent%bytesTogether != 0 {
		err = fmt.Errorf("%s takes bytes that are together along the columns for multiples of %d of them only", row.Family, bytesTogether)
	}
	return d, err
}
