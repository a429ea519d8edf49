package mma

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/target/sm"
)

// MMAs of two CTAs. The instruction has twice the rows of the one for a single CTA, and each CTA has half of them. Each
// reads half of the columns from its shared memory, so that every column is read once for both.

// A Pair is an instruction by which two CTAs multiply together what each would multiply alone.
type Pair struct {
	Row    *sm.Matrix
	N      int
	Tiling WarpTiling
}

// ChoosePair returns the instruction for an MMA of which two CTAs have the same operand B. Each then has half of the
// columns of B. If why is not empty, it says why there is no such instruction.
func ChoosePair(arch *sm.Arch, op ir.Op, warps int) (p Pair, why string) {
	if Scaled(op) {
		return p, "it has scales"
	}
	shape := linear.Ints(tile.Shape(op.Operand(2).Type()))
	rows, cols := shape[len(shape)-2], shape[len(shape)-1]
	for _, a := range WarpTilings(warps) {
		row, n := ChooseAsync(arch, op, a)
		switch {
		case row == nil || row.Family != sm.Tcgen05:
			continue
		case linear.TMEMLanes(shape) != linear.LanesOfTMEM:
			// The instruction of 64 rows in each CTA leaves the accumulator in other lanes than an MMA of one CTA does
			// (PTX ISA, tcgen05, data path layout B). No layout describes those yet.
			return p, fmt.Sprintf("each CTA has %d rows of it, and the instruction of two has %d of each", rows, linear.LanesOfTMEM)
		case n != cols:
			// The halves of more columns would not be next to each other in the buffers of B.
			return p, fmt.Sprintf("it has %d columns, and the instruction of two CTAs up to %d", cols, row.N.Max)
		}
		for _, m := range sm.Matrices() {
			if m.Family == sm.Tcgen05Pair && m.M == 2*row.M && m.K == row.K && m.On(arch) && m.Takes(Types(op)) && m.N.Has(n) {
				return Pair{m, n, a}, ""
			}
		}
		return p, fmt.Sprintf("no instruction of two CTAs has %d columns", n)
	}
	return p, "no instruction leaves its accumulator in TMEM"
}
