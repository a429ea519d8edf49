package mma

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/target/sm"
)

// mostAccumulators is how many registers of a thread the accumulator of an MMA may take where the machine has it in
// registers. A thread has 255, and an MMA of 256 columns in each warpgroup leaves as many for all else.
const mostAccumulators = 128

// WarpTiling is how the warps of a CTA share an MMA, along the rows and columns of what the instruction computes.
type WarpTiling struct {
	M, N       int
	Transposed bool // the instruction multiplies the transposes
}

// Warps returns how many warps share the MMA.
func (w WarpTiling) Warps() int { return w.M * w.N }

// WarpTilings returns those in which groups of four warps may share an MMA, those along its rows first.
func WarpTilings(warps int) (out []WarpTiling) {
	for m := warps; m >= 4; m /= 2 {
		out = append(out, WarpTiling{M: m, N: warps / m})
	}
	return out
}

// A candidate is an MMA for which an asynchronous instruction is looked for, in a warp tiling.
type candidate struct {
	op         ir.Op
	tiling     WarpTiling
	types      sm.MatrixTypes // as the instruction has them
	shape      []int          // of the accumulator
	rows, cols int            // of a matrix, as the instruction has them
	kExtent    int
}

// ChooseAsync returns the instruction of the target that multiplies asynchronously, with its extent of N, for an
// MMA in a warp tiling. It returns nil when there is none: all threads then compute the MMA together.
func ChooseAsync(arch *sm.Arch, op ir.Op, tiling WarpTiling) (row *sm.Matrix, n int) {
	if !tile.Is(op, tile.RowDot) && !tile.Is(op, tile.RowDotScaled) {
		return nil, 0
	}
	c := candidate{op: op, tiling: tiling, types: Types(op), shape: linear.Ints(tile.Shape(op.Operand(2).Type())), kExtent: KExtent(op)}
	r := len(c.shape)
	c.rows, c.cols = c.shape[r-2], c.shape[r-1]
	if tiling.Transposed {
		// Rows of the table have A in registers or shared memory and B in shared memory only. (A B)^T = B^T A^T lets
		// the instruction take B from registers.
		c.rows, c.cols, c.types.A, c.types.B = c.cols, c.rows, c.types.B, c.types.A
	}
	for _, m := range sm.Matrices() {
		if !m.Takes(c.types) || m.K > c.kExtent || !m.On(arch) {
			continue
		}
		fits := false
		switch m.Family {
		case sm.Tcgen05Scaled:
			n, fits = c.intoTMEM(m)
			fits = fits && c.fitsScales(m, n)
		case sm.Tcgen05:
			// The accumulator has as many lanes as the instruction has rows: 64 where it has fewer than 16 columns.
			if m.M <= c.rows && m.M == linear.TMEMLanes(c.shape) && !tooShort(op) {
				n, fits = c.intoTMEM(m)
			}
		case sm.Wgmma:
			n, fits = c.byWarpgroups(m)
		}
		if fits {
			return m, n
		}
	}
	return nil, 0
}

// intoTMEM returns the extent of N of an instruction that leaves the accumulator in TMEM, and whether it fits.
func (c *candidate) intoTMEM(m *sm.Matrix) (n int, fits bool) {
	n = min(c.cols, m.N.Max)
	// No instruction into TMEM takes B from there or from registers, so that the transposes win nothing.
	return n, !c.tiling.Transposed && c.fitsTMEM() && m.N.Has(n)
}

// byWarpgroups returns the extent of N of an instruction that warpgroups issue, and whether it fits.
func (c *candidate) byWarpgroups(m *sm.Matrix) (n int, fits bool) {
	n = min(c.cols/max(1, c.tiling.N), m.N.Max)
	// A warpgroup has rows of its own: with fewer rows than all instructions have, two would compute the same.
	groups := c.tiling.M / m.Warps
	if !m.N.Has(n) || c.tiling.M%m.Warps != 0 || c.rows < m.M*groups {
		return n, false
	}
	return n, elements(c.shape)*m.D.Cell/32/(sm.WarpSize*c.tiling.Warps()) <= mostAccumulators
}

// besideAccumulators is how many registers ptxas 13.5 wants for a wgmma beside its accumulators: it rejects m64n128 of f32
// in a kernel that begins with fewer than 94 (error C7602), whatever setmaxnreg adds.
const besideAccumulators = 30

// Registers returns how many registers of a thread a wgmma takes whose accumulators have so many bits, in those of its four
// warps.
func Registers(bits int) int64 { return int64(bits/32/(4*sm.WarpSize) + besideAccumulators) }

// fitsTMEM reports whether the accumulator has a place in TMEM from which the warps can load it into their registers.
func (c *candidate) fitsTMEM() bool {
	_, err := linear.TMEMAccumulator(c.shape, c.tiling.M, c.tiling.N)
	return err == nil && tmemColumns(c.shape) <= linear.ColumnsOfTMEM && elements(c.shape) <= mostAccumulators*sm.WarpSize*c.tiling.Warps()
}

// leastAlone is from which K extent on an MMA is worth loading its accumulator from TMEM where nothing runs meanwhile. That
// takes as many instructions as mma.sync takes for a K extent of 32 in f16.
const leastAlone = 64

// tooShort reports whether an MMA outside of loops starts from zero and has a short K. Products of blocks with scales are
// such: threads store both operands of each, wait, and add up what comes from TMEM.
func tooShort(op ir.Op) bool {
	c := op.Operand(2)
	zero := !c.DefiningOp().IsNil() && c.DefiningOp().NumOperands() == 0 && ir.ConstantValue(c) != nil
	return zero && !ir.InLoop(op) && KExtent(op) < leastAlone
}

// Columns returns how many columns of TMEM the accumulator of an MMA takes, and the scales of two in flight.
func Columns(op ir.Op) int {
	n := tmemColumns(linear.Ints(tile.Shape(op.Operand(2).Type())))
	for _, v := range Scales(op) {
		n += 2 * scaleColumns(linear.Ints(tile.Shape(v.Type())))
	}
	return n
}

// tmemColumns returns how many columns of TMEM an accumulator takes.
func tmemColumns(shape []int) int { return elements(shape) / linear.TMEMLanes(shape) }

// InTMEM reports whether the instructions of a family leave their accumulator in TMEM.
func InTMEM(f sm.MatrixFamily) bool {
	return f == sm.Tcgen05 || f == sm.Tcgen05Pair || f == sm.Tcgen05Scaled
}

// AccumulatorsInTMEM reports whether an MMA can be done by an instruction that leaves its accumulator in TMEM, in
// some warp tiling of so many warps.
func AccumulatorsInTMEM(arch *sm.Arch, op ir.Op, warps int) bool {
	return someAsync(arch, op, warps, func(row *sm.Matrix) bool { return InTMEM(row.Family) })
}

// Asynchronous reports whether an MMA can be done by an instruction that reads operands from shared memory while threads
// go on, in some warp tiling of so many warps.
func Asynchronous(arch *sm.Arch, op ir.Op, warps int) bool {
	return someAsync(arch, op, warps, func(*sm.Matrix) bool { return true })
}

func someAsync(arch *sm.Arch, op ir.Op, warps int, is func(row *sm.Matrix) bool) bool {
	for _, a := range WarpTilings(warps) {
		if row, _ := ChooseAsync(arch, op, a); row != nil && is(row) {
			return true
		}
	}
	return false
}

func elements(shape []int) int {
	n := 1
	for _, extent := range shape {
		n *= extent
	}
	return n
}
