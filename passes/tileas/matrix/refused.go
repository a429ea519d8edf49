package matrix

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

// best returns the family of the target that multiplies the types beside the threads; "" where it has none.
func best(arch *sm.Arch, types sm.MatrixTypes) (family sm.MatrixFamily, rows, depth int) {
	for _, m := range sm.Matrices() {
		if (m.Family == sm.Wgmma || m.Family == sm.Tcgen05) && m.On(arch) && m.Takes(types) && (rows == 0 || m.M < rows) {
			family, rows, depth = m.Family, m.M, m.K
		}
	}
	return family, rows, depth
}

// WhyNotAsync says why a product of so many warps has no instruction that multiplies beside the threads, and what to change; empty where the target has none for its types anyway.
func WhyNotAsync(arch *sm.Arch, op ir.Op, warps int) (family sm.MatrixFamily, why, cure string) {
	family, least, depth := best(arch, Types(op))
	if family == "" {
		return "", "", ""
	}
	shape := tile.Shape(op.Operand(2).Type())
	rows, cols := int(shape[len(shape)-2]), int(shape[len(shape)-1])
	sums := 1
	for _, n := range shape {
		sums *= int(n)
	}
	const group = 4 // warps that issue an instruction of wgmma together
	_, columns := fitting(arch, op)
	switch {
	case warps%group != 0:
		return family, fmt.Sprintf("%s is for groups of %d warps, and the tile block has %d", family, group, warps), fmt.Sprintf("use a multiple of %d warps", group)
	case rows < least && (cols < least || family == sm.Tcgen05):
		return family, fmt.Sprintf("its tile has %d rows, and %s takes at least %d", rows, family, least), fmt.Sprintf("make the tile of the product at least %d rows high", least)
	case Depth(op) < depth:
		return family, fmt.Sprintf("its depth is %d, and %s takes at least %d", Depth(op), family, depth), fmt.Sprintf("multiply at least %d of the depth at a time", depth)
	case family == sm.Wgmma && sums/(sm.WarpSize*warps) > mostSums:
		return family, fmt.Sprintf("its sum of %d x %d takes %d registers of each of %d threads, and %s leaves room for %d", rows, cols, sums/(sm.WarpSize*warps), sm.WarpSize*warps, family, mostSums),
			"make the tile of the product smaller, or ask for more warps"
	case family == sm.Tcgen05 && !WorthMoving(op):
		return family, fmt.Sprintf("it adds to nothing, and its depth of %d does not pay for taking the sum out of tensor memory", Depth(op)), fmt.Sprintf("multiply at least %d of the depth at a time, or add to a sum that a loop carries", leastDepth)
	case !columns:
		return family, fmt.Sprintf("no arrangement of its warps and columns fits %s", family), "make the tile a power of two of 16 columns or more"
	}
	return family, "an operand lies in memory along the other dimension than " + string(family) + " reads it with elements of these types, or is computed by threads",
		"store the operand with the depth as its contiguous dimension (transpose it once in memory), so that the tensor cores read it as it lies"
}

// fitting reports whether the instruction fits some arrangement of the warps that there can be.
func fitting(arch *sm.Arch, op ir.Op) (row *sm.Matrix, ok bool) {
	for _, warps := range []int{4, 8} {
		for _, transposed := range []bool{false, true} {
			for _, at := range Arrangements(warps) {
				at.Transposed = transposed
				if row, _ = ChooseAsync(arch, op, at); row != nil {
					return row, true
				}
			}
		}
	}
	return nil, false
}
