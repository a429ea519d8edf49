package mma

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/target/sm"
)

// best returns the family of the target that multiplies the types asynchronously; "" where it has none.
func best(arch *sm.Arch, types sm.MatrixTypes) (family sm.MatrixFamily, rows, kExtent int) {
	for _, m := range sm.Matrices() {
		if (m.Family == sm.Wgmma || m.Family == sm.Tcgen05) && m.On(arch) && m.Takes(types) && (rows == 0 || m.M < rows) {
			family, rows, kExtent = m.Family, m.M, m.K
		}
	}
	return family, rows, kExtent
}

// WhyNotAsync says why an MMA of so many warps has no instruction that multiplies asynchronously, and what to
// change; empty where the target has none for its types anyway.
func WhyNotAsync(arch *sm.Arch, op ir.Op, warps int) (family sm.MatrixFamily, why, cure string) {
	family, least, kExtent := best(arch, Types(op))
	if family == "" {
		return "", "", ""
	}
	shape := linear.Ints(tile.Shape(op.Operand(2).Type()))
	rows, cols := shape[len(shape)-2], shape[len(shape)-1]
	accumulators := elements(shape)
	const group = 4 // warps that issue an instruction of wgmma together
	switch {
	case warps%group != 0:
		return family, fmt.Sprintf("%s is for groups of %d warps, and the CTA has %d", family, group, warps), fmt.Sprintf("use a multiple of %d warps", group)
	case rows < least && (cols < least || family == sm.Tcgen05):
		// With enough columns, wgmma multiplies the transposes: the columns are its rows then.
		return family, fmt.Sprintf("its tile has %d rows, and %s takes at least %d", rows, family, least), fmt.Sprintf("make the tile of the MMA at least %d rows high", least)
	case KExtent(op) < kExtent:
		return family, fmt.Sprintf("its K extent is %d, and %s takes at least %d", KExtent(op), family, kExtent), fmt.Sprintf("multiply at least %d of the K extent at a time", kExtent)
	case family == sm.Wgmma && accumulators/(sm.WarpSize*warps) > mostAccumulators:
		return family, fmt.Sprintf("its accumulator of %d x %d takes %d registers of each of %d threads, and %s leaves room for %d",
			rows, cols, accumulators/(sm.WarpSize*warps), sm.WarpSize*warps, family, mostAccumulators), "make the tile of the MMA smaller, or ask for more warps"
	case family == sm.Tcgen05 && tooShort(op):
		return family, fmt.Sprintf("it is in no loop and adds to nothing, and its K extent of %d is too short to be worth taking the accumulator out of TMEM", KExtent(op)),
			fmt.Sprintf("multiply at least %d of the K extent at a time, or add to an accumulator that a loop carries", leastAlone)
	case !fitting(arch, op):
		return family, fmt.Sprintf("no warp tiling of its warps and columns fits %s", family), "make the tile a power of two of 16 columns or more"
	}
	return family, "an operand lies in memory along the other dimension than " + string(family) + " reads it with elements of these types, or is computed by threads",
		"store the operand with the K extent as its contiguous dimension (transpose it once in memory), so that the tensor cores read it as it lies"
}

// fitting reports whether an asynchronous instruction fits some warp tiling of the warps that there can be.
func fitting(arch *sm.Arch, op ir.Op) bool {
	for _, warps := range []int{4, 8} {
		for _, transposed := range []bool{false, true} {
			for _, at := range WarpTilings(warps) {
				at.Transposed = transposed
				if row, _ := ChooseAsync(arch, op, at); row != nil {
					return true
				}
			}
		}
	}
	return false
}
