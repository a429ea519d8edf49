package schedule

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/linear"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/sm"
)

const (
	// others is how many registers of a thread a loop leaves to addresses, counters and pieces of operands on their way into an instruction.
	others = 60
	// slack is shared memory for what later passes may need beyond the conversions that are seen: reductions across warps, alignment.
	slack = 4 << 10
)

// LimitsOf returns what the loops of a kernel may take. Only conversions inside loops take from the shared memory: those behind a loop use what its buffers leave.
func LimitsOf(fn ir.Op, arch *sm.Arch) Limits {
	spec := contract.KernelSpecOf(fn)
	blocks := max(1, spec.Occupancy)
	l := Limits{Registers: max(1, arch.RegistersPerThread(max(1, spec.NumWarps), blocks)-others), Shared: arch.Shared.PerCTA, Stages: spec.NumStages,
		arch: arch, warps: max(1, spec.NumWarps)}
	if blocks > 1 {
		l.Shared = min(l.Shared, arch.Shared.PerSM/blocks-arch.Shared.Reserved)
	}
	scratch := 0
	fn.Walk(func(op ir.Op) ir.WalkResult {
		switch {
		case op.Is(tileas.Level.Alloca):
			n, _ := op.IntAttr(tile.AttrBytes)
			l.Shared -= int(min(n, int64(l.Shared)))
		case op.Is(tileas.ConvertLayout) && inLoop(op):
			scratch = max(scratch, scratchOf(op))
		}
		return ir.Advance
	})
	l.Shared = max(0, l.Shared-scratch-slack)
	return l
}

func inLoop(op ir.Op) bool {
	for p := op.ParentOp(); !p.IsNil(); p = p.ParentOp() {
		if _, ok := ir.LoopLike.Of(p); ok {
			return true
		}
	}
	return false
}

// scratchOf returns the bytes of shared memory that a conversion goes through.
func scratchOf(op ir.Op) int {
	src, ok1 := tileas.LayoutOf(op.Operand(0).Type())
	dst, ok2 := tileas.LayoutOf(op.Result(0).Type())
	if !ok1 || !ok2 || src.Equal(dst) {
		return 0
	}
	if c, err := linear.Convert(src, dst); err != nil || c.Class <= linear.LaneMove {
		return 0
	}
	n := tile.ElementBytes(ir.ElementType(op.Result(0).Type()))
	for _, d := range dst.Shape() {
		n *= d
	}
	return n
}
