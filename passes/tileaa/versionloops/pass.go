package versionloops

import (
	"strconv"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/tma"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/target/sm"
)

var numVersioned = passes.NewStatistic("versioned", "loops that have a fast version")

// Pass is tileaa-version-loops.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileaa-version-loops",
	Summary:  "make fast versions of MMA loops, chosen by tests before the loop",
	Doc:      "Gives each innermost loop with an MMA whose loads test bounds, or lack alignment, a version without the tests. Tests before the loop choose the version.",
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 3}},
	After: []passes.Edge{
		{Pass: "tileaa-attach-facts", Reason: "what is known need not be tested"},
		{Pass: "licm#tileaa", Reason: "what is invariant must be before the loop to be tested there"},
	},
	Before: []passes.Edge{
		{Pass: "convert-tileaa-to-tileas", Reason: "layouts follow from the facts"},
	},
	Statistics: []*passes.Statistic{numVersioned},
	Run:        run,
})

const (
	// maxOps is the largest body that is worth two copies.
	maxOps = 400
	// maxMatrix is how many matrix instructions, of all warps, the MMAs of a loop may become if the fast version
	// only saves bounds. With more, the tests of bounds hardly count. For matmul_e4m3_128x256x128, 2,048
	// instructions of f16 on sm_90 and sm_100, the version saves 6% of the other instructions of the loop. The
	// kernel then has 1.7 times the code, for which ptxas takes twice as long. Wide accesses are worth that.
	maxMatrix = 1024
	// maxCode is how many of them all versions may have together.
	maxCode = 4096
)

// most returns the limit for versions that only save bounds. Inside another loop it is a quarter: what the outer
// loop keeps for its next iteration is live in both versions. On sm_100, matmul_persistent_bf16_128x256x64 with
// 128 registers of accumulators came to spill two registers. On sm_86, group_gemm_f16 with 512 matrix
// instructions came to spill seven. The gain was 0.6% and 1% of what their loops issue on sm_80.
func most(loop ir.Op) int64 {
	if ir.InLoop(loop) {
		return maxMatrix / 4
	}
	return maxMatrix
}

func run(r *passes.Run) error {
	arch, err := r.Target.Arch()
	if err != nil {
		return err
	}
	var loops []ir.Op
	ops := 0
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		ops++
		if op.Is(scf.For) && !op.HasUnitAttr(contract.LoopVersion) && worth(op, arch) {
			loops = append(loops, op)
		}
		return ir.Advance
	})
	n, asks := 0, maxVisits/ops
	for _, loop := range loops {
		v := &version{loop: loop, asks: &asks, tma: foresee(r, arch)}
		matrix := size(loop, arch)
		// Aligned accesses are profitable for loops of any size, bounds alone only for smaller ones.
		if !v.collect(r.Op) || v.aligned == 0 && matrix > most(loop) {
			continue
		}
		v.budget = max(2, maxCode/max(1, matrix))
		if !r.May("version", loop) || !v.make(r.Op) {
			continue
		}
		slow, fast := v.slow, v.fast
		remark.LoopVersions.At(r, loop.Loc(), "loop has %d versions, chosen by %d comparisons before it. In the fastest, %d loads test no bounds, %d are aligned to 16 bytes, and %d comparisons are decided%s",
			v.copies+1, v.tests, v.bounds, v.aligned, len(v.comparisons), slow.beside(fast)).
			Arg("Versions", strconv.Itoa(v.copies+1)).Arg("Tests", strconv.Itoa(v.tests)).Cure("promise by assume what the comparisons test: multiples of 16 bytes of bases and strides, sizes that tiles divide; then there is the fast version alone").Report()
		n++
	}
	r.Add(numVersioned, n)
	return nil
}

// foresee returns a forecast of which loads will be TMA loads, or nil if none will. Versions of loops change what is
// known of the kernel.
func foresee(r *passes.Run, arch *sm.Arch) *tma.Forecast {
	maps := r.Target.Maps()
	if maps == contract.NoTensorMaps {
		return nil
	}
	// The number of warps is not chosen yet; the forecast is for both usual numbers.
	f := &tma.Forecast{Kernel: budget.Of(r.Op, arch), Warps: []int{4, 8}, Ranges: intrange.Analyze(r.Op), Device: maps == contract.TensorMapsDevice}
	if n := contract.KernelSpecOf(r.Op).NumWarps; n > 0 {
		f.Warps = []int{n}
	}
	return f
}

// worth reports whether a loop is innermost, has an MMA, and is not too large. A scaled MMA without an instruction of
// the target does not count: it becomes many operations, against which tests of bounds cost little.
func worth(loop ir.Op, arch *sm.Arch) bool {
	ops, dots := 0, 0
	inner := false
	loop.Walk(func(op ir.Op) ir.WalkResult {
		ops++
		if op.Is(tileaa.Level.Dot) || op.Is(tileaa.Level.DotScaled) && mma.Choose(arch, mma.Types(op), mma.KExtent(op)) != nil {
			dots++
		}
		if _, isLoop := ir.LoopLike.Of(op); isLoop && op != loop {
			inner = true
			return ir.Interrupt
		}
		return ir.Advance
	})
	return !inner && dots > 0 && ops <= maxOps
}

// size returns how many matrix instructions the MMAs of a loop become; 0 if they become multiply-adds.
func size(loop ir.Op, arch *sm.Arch) (n int64) {
	for op := range loop.Body().Ops() {
		if !op.Is(tileaa.Level.Dot) && !op.Is(tileaa.Level.DotScaled) {
			continue
		}
		types, k := mma.Types(op), mma.KExtent(op)
		row := mma.Choose(arch, types, k)
		if row == nil || !row.Native(arch) { // 8-bit floats are widened if the machine has no MMA for them
			row = mma.Choose(arch, sm.MatrixTypes{A: sm.F16, B: sm.F16, D: types.D}, k)
		}
		if row != nil {
			n += op.Result(0).Type().(*ir.TensorType).NumElements() * int64(k) / int64(row.M*row.N.Min*row.K)
		}
	}
	return n
}
