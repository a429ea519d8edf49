package mma

import (
	"slices"

	"github.com/tilewright/tilewright/target/sm"
)

// chosen are the families that dots become wherever their types and K extent allow, lowered all that they become so
// far. Rows of others are facts for later passes.
var (
	chosen  = []sm.MatrixFamily{sm.MmaSync, sm.MmaScaled}
	lowered = append(slices.Clip(chosen), sm.FMA, sm.Wgmma, sm.Tcgen05, sm.Tcgen05Pair, sm.Tcgen05Scaled)
)

// Lowered reports whether passes lower a family of instructions.
func Lowered(f sm.MatrixFamily) bool { return slices.Contains(lowered, f) }

// Choose returns the instruction of the target for the types with extent k, or nil when it has none: the dot must be
// computed otherwise. Extents of M and N below the instruction's are no obstacle, because a fragment may hold copies;
// those of K would be summed.
//
// The table's order is that of preference. For f16, m16n8k16 stands before m16n8k8, which is taken only for a K of 8.
func Choose(arch *sm.Arch, types sm.MatrixTypes, k int) *sm.Matrix {
	for _, m := range sm.Matrices() {
		// Asynchronous families need more than types: shapes, warps, and operands in shared memory (ChooseAsync).
		if slices.Contains(chosen, m.Family) && m.Takes(types) && m.K <= k && m.On(arch) {
			return m
		}
	}
	return nil
}

// FMA returns the row of a dot that threads compute alone. They sum in f32 what has fewer bits.
//
// Rows of this family have no fragments and no feature: every thread multiplies and adds.
func FMA(d sm.Elem) *sm.Matrix {
	if d == sm.F16 || d == sm.BF16 || d == sm.TF32 {
		d = sm.F32
	}
	return sm.FindMatrix(sm.FMA, sm.MatrixShape{M: 1, N: 1, K: 1}, sm.MatrixTypes{A: d, B: d, D: d})
}
