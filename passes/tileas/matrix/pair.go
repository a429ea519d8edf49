package matrix

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// Products of two CTAs. The instruction has twice the rows of what it has for one, of which each CTA has half, and each reads half of the columns from shared memory: so every column is read once for both.

// ChoosePair returns the instruction by which two CTAs multiply together what each would multiply alone: a product of the same factor B, of which each then has half of the columns. why says that there is none, and is "" if there
// is one.
//
// It is that for rows that fill the lanes of tensor memory. The other one, of 64 rows in each CTA, leaves the sum in other lanes than a product of one CTA does (PTX ISA, tcgen05, data path layout B).
func ChoosePair(arch *sm.Arch, op ir.Op, warps int) (attr *tileas.MMAAttr, why string) {
	if scaled(op) {
		return nil, "it has scales"
	}
	shape := tile.Shape(op.Operand(2).Type())
	rows, cols := int(shape[len(shape)-2]), int(shape[len(shape)-1])
	for _, a := range Arrangements(warps) {
		row, n := ChooseAsync(arch, op, a)
		switch {
		case row == nil || row.Family != sm.Tcgen05:
			continue
		case lanesOf(shape) != tileas.TensorLanes:
			return nil, fmt.Sprintf("each CTA has %d rows of it, and the instruction of two has %d of each", rows, tileas.TensorLanes)
		case n != cols:
			return nil, fmt.Sprintf("it has %d columns, and the instruction of two CTAs up to %d", cols, row.N.Max)
		}
		for _, m := range sm.Matrices() {
			if m.Family == sm.Tcgen05Pair && m.M == 2*row.M && m.K == row.K && m.On(arch) && m.Takes(Types(op)) && m.N.Has(n) {
				return tileas.MMA(op.Context(), string(m.Family), m.M, n, m.K, a.M, a.N), ""
			}
		}
		return nil, fmt.Sprintf("no instruction of two CTAs has %d columns", n)
	}
	return nil, "no instruction leaves its sum in tensor memory"
}

// SumsInTensorMemory reports whether a product can be done by an instruction that leaves its sum in tensor memory, in some arrangement of so many warps.
func SumsInTensorMemory(arch *sm.Arch, op ir.Op, warps int) bool {
	for _, a := range Arrangements(warps) {
		if row, _ := ChooseAsync(arch, op, a); row != nil && inTensorMemory(row.Family) {
			return true
		}
	}
	return false
}
