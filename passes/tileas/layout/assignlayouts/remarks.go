package assignlayouts

import (
	"cmp"
	"fmt"

	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
	"github.com/tilewright/tilewright/target/sm"
)

// generations are the names that tileiras has for the instructions.
var generations = map[sm.MatrixFamily]string{sm.Wgmma: "Tensor-core SM90", sm.Tcgen05: "Tensor-core SM100", sm.Tcgen05Pair: "Tensor-core SM100", sm.Tcgen05Scaled: "Tensor-core SM100"}

// decide reports which instruction an MMA gets, and why no better one: full says which memory has no room for that.
func decide(r *passes.Run, dot ir.Op, full string, arch *sm.Arch, warps int) {
	attr := tileas.MMAOf(dot)
	if attr == nil || attr.Family == string(sm.FMA) {
		why, cure := noTensorCores(arch, dot)
		remark.MMAMissed.At(r, dot.Loc(), "MMA does not use tensor cores").Arg(remark.ReasonKey, why).Cure("%s", cure).Report()
		return
	}
	family := sm.MatrixFamily(attr.Family)
	generation := cmp.Or(generations[family], "Tensor-core SM80")
	m := remark.MMASelected.At(r, dot.Loc(), "MMA uses %s %s, warp tiling %d x %d", attr.Family, attr.Shape(), attr.WarpsM, attr.WarpsN).
		Arg(remark.InstructionKey, generation).Arg(remark.ShapeKey, fmt.Sprintf("[%d, %d, %d]", attr.M, attr.N, attr.K))
	switch {
	case family == sm.Tcgen05Pair:
		m.Arg("NumCTAs", "2")
	case instr.InTMEM(dot):
		m.Arg("NumCTAs", "1")
	}
	m.Arg("Family", attr.Family).Arg("Warps", fmt.Sprintf("%d x %d", attr.WarpsM, attr.WarpsN)).Report()
	if instr.Async(dot) {
		return
	}
	if better, why, cure := mma.WhyNotAsync(arch, dot, warps); better != "" {
		if full != "" {
			why, cure = full, "make the tiles of MMAs smaller"
		}
		remark.MMASlower.At(r, dot.Loc(), "MMA uses %s, not %s: %s", family, better, why).Arg(remark.InstructionKey, attr.Family).Arg(remark.ReasonKey, why).Cure("%s", cure).
			Arg(remark.WorthKey, rates(arch, dot, family, better)).Report()
	}
}

// noTensorCores returns why an MMA has no matrix instruction, and what its operands could be instead.
func noTensorCores(arch *sm.Arch, dot ir.Op) (why, cure string) {
	types := mma.Types(dot)
	why = fmt.Sprintf("%s has no matrix instruction for operands of '%s' and accumulators of '%s'", arch, ir.TypeString(ir.ElementType(dot.Operand(0).Type())), ir.TypeString(ir.ElementType(dot.Operand(2).Type())))
	tf32 := types
	tf32.A, tf32.B = sm.TF32, sm.TF32
	switch {
	case types.A == sm.F32 && types.B == sm.F32 && mma.Choose(arch, tf32, mma.KExtent(dot)) != nil:
		return why, "convert both operands to tf32 (ftof), which rounds them to 10 bits of fraction; or to bf16 or f16 where their range is enough"
	case types.A == types.B && mma.Choose(arch, types, 1<<16) != nil:
		return "its K extent is less than that of any matrix instruction for its types", "multiply more of the K extent at a time"
	}
	return why, ""
}

// rates compares how many multiply-adds per cycle two instructions do, by the target's tables.
func rates(arch *sm.Arch, dot ir.Op, have, better sm.MatrixFamily) string {
	row := mma.Choose(arch, instr.InstructionTypes(dot), mma.KExtent(dot))
	if row == nil {
		return ""
	}
	a, b := perCycle(arch, row), 0
	for _, m := range sm.Matrices() {
		if m.Family == better && m.On(arch) && m.Takes(mma.Types(dot)) {
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
