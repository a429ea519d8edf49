package assignlayouts

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileas/matrix"
	"github.com/tilewright/tilewright/target/sm"
)

// generations are what tileiras calls the instructions.
var generations = map[sm.MatrixFamily]string{sm.Wgmma: "Tensor-core SM90", sm.Tcgen05: "Tensor-core SM100", sm.Tcgen05Scaled: "Tensor-core SM100"}

// decide says which instruction a product gets, and why no better one.
func decide(r *passes.Run, dot ir.Op, mma *tileas.MMAAttr, arch *sm.Arch, warps int) {
	if mma == nil || mma.Family == string(sm.FMA) {
		why, cure := noTensorCores(arch, dot)
		remark.MMAMissed.At(r, dot.Loc(), "product is computed without tensor cores").Arg(remark.ReasonKey, why).Cure("%s", cure).Report()
		return
	}
	family := sm.MatrixFamily(mma.Family)
	generation := "Tensor-core SM80"
	if g := generations[family]; g != "" {
		generation = g
	}
	m := remark.MMASelected.At(r, dot.Loc(), "product is computed by %s %s, with %d x %d warps", mma.Family, mma.Shape(), mma.WarpsM, mma.WarpsN).
		Arg(remark.InstructionKey, generation).Arg(remark.ShapeKey, fmt.Sprintf("[%d, %d, %d]", mma.M, mma.N, mma.K))
	if matrix.InTensorMemory(dot) {
		m.Arg("NumCTAs", "1")
	}
	m.Arg("Family", mma.Family).Arg("Warps", fmt.Sprintf("%d x %d", mma.WarpsM, mma.WarpsN)).Report()
	if matrix.Async(dot) {
		return
	}
	if better, why, cure := matrix.WhyNotAsync(arch, dot, warps); better != "" {
		remark.MMASlower.At(r, dot.Loc(), "product is computed by %s, not %s: %s", family, better, why).Arg(remark.InstructionKey, mma.Family).Arg(remark.ReasonKey, why).Cure("%s", cure).
			Arg(remark.WorthKey, rates(arch, dot, family, better)).Report()
	}
}

// noTensorCores says why a product has no matrix instruction, and what its factors could be instead.
func noTensorCores(arch *sm.Arch, dot ir.Op) (why, cure string) {
	types := matrix.Types(dot)
	why = fmt.Sprintf("%s has no matrix instruction for factors of '%s' and sums of '%s'", arch, ir.TypeString(ir.ElementType(dot.Operand(0).Type())), ir.TypeString(ir.ElementType(dot.Operand(2).Type())))
	tf32 := types
	tf32.A, tf32.B = sm.TF32, sm.TF32
	switch {
	case types.A == sm.F32 && types.B == sm.F32 && matrix.Choose(arch, tf32, matrix.Depth(dot)) != nil:
		return why, "convert both factors to tf32 (ftof), which rounds them to 10 bits of fraction; or to bf16 or f16 where their range is enough"
	case types.A == types.B && matrix.Choose(arch, types, 1<<16) != nil:
		return "its depth is less than that of any matrix instruction for its types", "multiply more of the depth at a time"
	}
	return why, ""
}

// rates compares how many multiply-adds two instructions do in a cycle, by the tables of the machine.
func rates(arch *sm.Arch, dot ir.Op, have, better sm.MatrixFamily) string {
	row := matrix.Choose(arch, matrix.InstructionTypes(dot), matrix.Depth(dot))
	if row == nil {
		return ""
	}
	a, b := perCycle(arch, row), 0
	for _, m := range sm.Matrices() {
		if m.Family == better && m.On(arch) && m.Takes(matrix.Types(dot)) {
			b = max(b, perCycle(arch, m))
		}
	}
	if a == 0 || b == 0 {
		return ""
	}
	return fmt.Sprintf("%s does %d multiply-adds in a cycle of an SM, %s %d (estimate of the machine's table)", have, a, better, b)
}

// perCycle returns the multiply-adds that an SM does in a cycle with an instruction; 0 where no table knows.
func perCycle(arch *sm.Arch, m *sm.Matrix) int {
	n := m.N.Max
	t, ok := m.Timing(arch, n)
	if !ok || t.Issue == 0 {
		return 0
	}
	work := m.M * n * m.K
	if m.Warps == 1 {
		const parts = 4 // of an SM, each of which issues one
		work *= parts
	}
	return work / t.Issue
}
