package plankernel

import (
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
)

var (
	numCandidates = passes.NewStatistic("num-candidates", "variants of kernels that were compiled and priced")
	numFailed     = passes.NewStatistic("num-failed", "variants that do not compile, which is a fault of a pass or too much for the target")
	numOverruled  = passes.NewStatistic("num-overruled", "kernels whose hint is not followed, because following it is dearer")
)

// Pass is tileaa-plan-kernel.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileaa-plan-kernel",
	Title:   "TileAAPlanKernel",
	Summary: "choose among variants of a kernel by compiling and pricing each",
	Doc: `Compiles the candidates that a kernel's hints allow to the end of nv_tileas, on copies, and prices each by the
model of the machine. The cheapest one is chosen; the hint wins where prices are about equal. Today candidates differ
in occupancy: where two CTAs on an SM mean that tiles are cut and loads are repeated, fewer CTAs do less work. A warning
names the hint that is not followed, and both prices.`,
	On:       "nv_tileaa.func",
	Requires: []*passes.Property{property.TileAA},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileaa-partition-cluster", Reason: "what a CTA computes of its cluster's tile is known"},
	},
	Before: []passes.Edge{
		{Pass: "tileaa-version-loops", Reason: "the trial runs every pass that depends on the number of warps and CTAs"},
		{Pass: "tileaa-strip-mine", Reason: "it cuts tiles by the registers that the plan leaves"},
	},
	Tries:      true,
	Statistics: []*passes.Statistic{numCandidates, numFailed, numOverruled},
	Run:        run,
})

// margin is by how many percent a candidate must be cheaper than the hint's. The model rounds to cycles for each
// operation, and more CTAs hide latencies that the price leaves out.
const margin = 10

func run(r *passes.Run) error {
	r.MarkUnchanged() // until a hint is overruled
	hint := contract.KernelSpecOf(r.Op).Occupancy
	// Without MMAs, what a CTA computes does not depend on its registers: tiles that are split are read once all the
	// same.
	if hint <= 1 || !tile.HasMMA(r.Op) {
		return nil
	}
	asked, err := try(r, hint)
	if errors.Is(err, passes.ErrNoTrial) {
		return nil
	}
	best, price, failed := hint, asked, err != nil
	for n := hint - 1; n >= 1; n-- {
		// The hint's own price has the margin, and the others only among themselves.
		if p, err := try(r, n); err == nil && (failed || p.Cycles < price.Cycles && p.Cycles*100 < asked.Cycles*(100-margin)) {
			best, price, failed = n, p, false
		}
	}
	if best == hint {
		return nil
	}
	r.MarkChanged()
	r.Add(numOverruled, 1)
	contract.SetOccupancy(r.Op, best)
	why := fmt.Sprintf("of %d CTAs on an SM each takes %s, of %d %s", hint, asked, best, price)
	if err != nil {
		why = fmt.Sprintf("%d CTAs on an SM do not work: %s", hint, err)
	}
	remark.HintOverruled.At(r, r.Op.Loc(), "hint 'occupancy = %d' of kernel '%s' is not followed, and %d is taken instead: %s", hint, r.Op.SymbolName(), best, why).
		Arg(remark.HintKey, fmt.Sprintf("occupancy = %d", hint)).Arg(remark.ChosenKey, fmt.Sprint(best)).Arg(remark.ReasonKey, why).Warn()
	return nil
}

// try prices the kernel with so many CTAs on an SM.
func try(r *passes.Run, occupancy int) (passes.Price, error) {
	r.Add(numCandidates, 1)
	p, err := r.Trial(func(kernel ir.Op) { contract.SetOccupancy(kernel, occupancy) })
	if err != nil && !errors.Is(err, passes.ErrNoTrial) {
		r.Add(numFailed, 1)
	}
	r.Log.Debug().Int("occupancy", occupancy).Stringer("price", p).Err(err).Msg("tried")
	return p, err
}
