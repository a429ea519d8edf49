package matrix

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// mostSums is how many registers of a thread the sum of a product may take where the machine has it in registers. A thread has 255, and a product of 256 columns in each warp group leaves as many for all else.
const mostSums = 128

// Align is what the place of a buffer must be a multiple of for any descriptor, in bytes: the machine swizzles by bits of addresses, of patterns of 8 rows of 128 bytes.
const Align = 1024

// Arrangement is how the warps of a tile block share a product, along the rows and columns of what the instruction computes.
type Arrangement struct {
	M, N       int
	Transposed bool // the instruction multiplies the transposes
}

// ChooseAsync returns the instruction of the target that multiplies beside the threads, with its extent of N, for a product in an arrangement of warps, or nil when there is none: it must then be
// computed by all threads together. The group of warps has rows of its own, so that a product with fewer than an instruction has none; nor has one whose sum does not fit the registers.
func ChooseAsync(arch *sm.Arch, op ir.Op, a Arrangement) (row *sm.Matrix, n int) {
	if n := op.Def().Name; n != tileas.Level.Dot.Name && n != tileas.Level.DotScaled.Name { // of nv_tileaa too
		return nil, 0
	}
	types, shape := Types(op), tile.Shape(op.Operand(2).Type())
	r := len(shape)
	rows, cols := int(shape[r-2]), int(shape[r-1])
	if a.Transposed {
		rows, cols, types.A, types.B = cols, rows, types.B, types.A
	}
	for _, m := range sm.Matrices() {
		if m.Family == sm.Tcgen05Scaled && !a.Transposed && m.Takes(types) && m.K <= Depth(op) && m.On(arch) {
			if n := min(cols, m.N.Max); fitsTensorMemory(shape, a) && m.N.Has(n) && fitsScales(op, m, n, a) {
				return m, n
			}
		}
		// A sum has the lanes that its rows ask for: one of 128 rows and 8 columns, which only the instruction of 64 rows has so few of, has none.
		if m.Family == sm.Tcgen05 && !a.Transposed && m.M <= rows && m.M == lanesOf(shape) && m.Takes(types) && m.K <= Depth(op) && m.On(arch) {
			if n := min(cols, m.N.Max); fitsTensorMemory(shape, a) && m.N.Has(n) && WorthMoving(op) {
				return m, n
			}
		}
		if m.Family != sm.Wgmma || !m.Takes(types) || m.K > Depth(op) || !m.On(arch) {
			continue
		}
		n := min(cols/max(1, a.N), m.N.Max)
		if n < m.N.Min || !m.N.Has(n) || a.M%m.Warps != 0 || rows < m.M*(a.M/m.Warps) {
			continue
		}
		elements := 1
		for _, extent := range shape {
			elements *= int(extent)
		}
		if elements*m.D.Cell/32/(sm.WarpSize*a.M*a.N) > mostSums {
			continue
		}
		return m, n
	}
	return nil, 0
}

// leastDepth is from which depth on a product is worth it to take its sum out of tensor memory when it is done. It is taken from there in as many instructions as mma.sync takes for a depth of 32 in f16, and shallow
// products that threads add up, as those of blocks with scales, need registers for what comes from there beside what they add to.
const leastDepth = 64

// WorthMoving reports whether a product adds to a sum, which may stay in tensor memory, or is deep.
func WorthMoving(op ir.Op) bool {
	c := op.Operand(2)
	zero := !c.DefiningOp().IsNil() && c.DefiningOp().NumOperands() == 0 && ir.ConstantValue(c) != nil
	return !zero || Depth(op) >= leastDepth
}

// Columns returns how many columns of tensor memory the sum of a product takes, and the scales of two under way.
func Columns(op ir.Op) int {
	n := tensorColumns(tile.Shape(op.Operand(2).Type()))
	for _, v := range Scales(op) {
		n += 2 * scaleColumns(tile.Shape(v.Type()))
	}
	return n
}

// lanesOf returns how many lanes of tensor memory a sum has.
func lanesOf(shape []int64) int {
	extents := make([]int, len(shape))
	for i, extent := range shape {
		extents[i] = int(extent)
	}
	return linear.TensorLanes(extents)
}

func tensorColumns(shape []int64) int {
	n, extents := 1, make([]int, len(shape))
	for i, extent := range shape {
		extents[i] = int(extent)
		n *= int(extent)
	}
	return n / linear.TensorLanes(extents)
}

// fitsTensorMemory reports whether a sum has a place in tensor memory from which warps in an arrangement can take it into their registers.
func fitsTensorMemory(shape []int64, a Arrangement) bool {
	extents, cells := make([]int, len(shape)), 1
	for i, n := range shape {
		extents[i] = int(n)
		cells *= int(n)
	}
	_, err := linear.TensorSum(extents, a.M, a.N)
	return err == nil && tensorColumns(shape) <= tileas.TensorColumns && cells <= mostSums*sm.WarpSize*a.M*a.N
}

// Arrangements returns those in which groups of four warps may share a product, those along its rows first.
func Arrangements(warps int) (out []Arrangement) {
	for m := warps; m >= 4; m /= 2 {
		out = append(out, Arrangement{M: m, N: warps / m})
	}
	return out
}

// Async reports whether a product is computed by an instruction that runs beside the threads, and takes factors from shared memory.
func Async(op ir.Op) bool {
	a := tileas.MMAOf(op)
	return a != nil && (a.Family == string(sm.Wgmma) || inTensorMemory(sm.MatrixFamily(a.Family)))
}

// InTensorMemory reports whether the instruction of a product leaves its sum in tensor memory.
func InTensorMemory(op ir.Op) bool {
	a := tileas.MMAOf(op)
	return a != nil && inTensorMemory(sm.MatrixFamily(a.Family))
}

func inTensorMemory(f sm.MatrixFamily) bool {
	return f == sm.Tcgen05 || f == sm.Tcgen05Pair || f == sm.Tcgen05Scaled
}

// sides returns the dimensions of an operand of a product: that of the rows or columns of the result, and the depth.
func sides(rank, operand int) (rows, depth int) {
	if operand == 0 {
		return rank - 2, rank - 1
	}
	return rank - 1, rank - 2
}

// BufferLayout returns the layout of a buffer from which the instruction of a product takes a factor that has elements together along a dimension, if it can: only elements of 16 bits may be together along the rows
// or columns.
func BufferLayout(op ir.Op, operand, together int) (linear.Shared, error) {
	row, err := RowOf(op)
	if err != nil {
		return linear.Shared{}, err
	}
	t := tileas.HeldType(op.Operand(operand)).(*ir.TensorType)
	_, depth := sides(len(t.Shape), operand)
	o := [2]sm.Operand{row.A, row.B}[Side(op, operand)]
	if together != depth && (!o.EitherMajor || together < len(t.Shape)-2) {
		return linear.Shared{}, fmt.Errorf("%s takes elements of %d bits from shared memory along the depth only", row.Family, o.Cell)
	}
	shape := make([]int, len(t.Shape))
	for i, n := range t.Shape {
		shape[i] = int(n)
	}
	l, err := linear.OperandLayout(shape, 8*tile.ElementBytes(t.Elem), linear.ContiguousFirst(len(shape), together))
	if err == nil {
		_, err = describe(op, row, operand, t, l)
	}
	return l, err
}

// Describe returns the descriptor of a buffer for the instruction of a product.
func Describe(op ir.Op, operand int, b *tileas.BufferType) (linear.Descriptor, error) {
	row, err := RowOf(op)
	if err != nil {
		return linear.Descriptor{}, err
	}
	return describe(op, row, operand, b.HeldTile().(*ir.TensorType), b.Layout.Shared)
}

// bytesTogether is what the columns of an instruction that reads bytes along them must be a multiple of (PTX ISA, tcgen05.mma, N shapes for 8-bit transposed B).
const bytesTogether = 16

func describe(op ir.Op, row *sm.Matrix, operand int, t *ir.TensorType, l linear.Shared) (linear.Descriptor, error) {
	rows, depth := sides(len(t.Shape), operand)
	side := Side(op, operand)
	extent := [2]int{row.M, tileas.MMAOf(op).N}[side]
	if row.CTAs > 1 { // each has a part of both
		extent /= row.CTAs
	}
	d, err := l.Describe(rows, depth, extent, row.K/tileas.PerElement(op), 8*tile.ElementBytes(t.Elem))
	o := [2]sm.Operand{row.A, row.B}[side]
	if err == nil && d.RowsTogether && !o.EitherMajor {
		err = fmt.Errorf("%s takes elements of %d bits from shared memory along the depth only", row.Family, o.Cell)
	}
	if err == nil && d.RowsTogether && operand == 1 && o.Cell == 8 && extent%bytesTogether != 0 {
		err = fmt.Errorf("%s takes bytes that are together along the columns for multiples of %d of them only", row.Family, bytesTogether)
	}
	return d, err
}
