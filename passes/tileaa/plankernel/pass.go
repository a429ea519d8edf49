package plankernel

import (
	"errors"
	"fmt"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileaa"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/pressure"
	"github.com/tilewright/tilewright/passes/machine/budget"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/target/sm"
)

var (
	numCandidates = passes.NewStatistic("num-candidates", "variants of kernels that were compiled and priced")
	numFailed     = passes.NewStatistic("num-failed", "variants that do not compile, which is a fault of a pass or too much for the target")
	numOverruled  = passes.NewStatistic("num-overruled", "kernels whose hint is not followed, because following it is dearer")
)

// Options of the pass.
type Options struct {
	Try string `opt:"try" help:"what to try. hints: lower occupancies than the hint, fewer warps; price: also what later passes declare, with a remark each; choose: and take the cheapest"`
}

// The values of the option try.
const (
	Hints  = "hints"
	Prices = "price"
	Choose = "choose"
)

// Pass is tileaa-plan-kernel.
var Pass = passes.Register(&passes.Pass{
	Name:    "tileaa-plan-kernel",
	Summary: "choose among variants of a kernel by compiling and pricing each",
	Doc: `Compiles candidates for a kernel to the end of nv_tileas, on copies, and prices each by the model of the machine.
By default the candidates are those that a hint leaves open. Where two CTAs on an SM mean that tiles are cut and loads
are repeated, fewer CTAs do less work. So do fewer where tiles of more do not fit the registers. The hint wins where
prices are about equal. A warning names the hint that is not followed, and both prices. Fewer warps are tried too, where
layouts decide whether their registers suffice. With try=price or try=choose, candidates are also all values of options
that later passes declare as worth a trial, one at a time. A remark names each with its price.`,
	Options:  func() any { return &Options{Try: Hints} },
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

// margin is by how many percent a candidate must be cheaper than what it replaces. The model rounds to cycles for each
// operation, and leaves out that more CTAs hide latencies.
const margin = 10

func run(r *passes.Run) error {
	try := passes.OptionsOf[Options](r).Try
	switch try {
	case Hints, Prices, Choose:
	default:
		return fmt.Errorf("option 'try' must be %s, %s or %s, but got '%s'", Hints, Prices, Choose, try)
	}
	chooseOccupancy(r)
	chooseWarps(r)
	if try != Hints {
		tryAlternatives(r, try == Choose)
	}
	return nil
}

// chooseOccupancy follows the hint of occupancy, unless fewer CTAs on an SM are cheaper.
func chooseOccupancy(r *passes.Run) {
	hint := contract.KernelSpecOf(r.Op).Occupancy
	// Without MMAs, what a CTA computes does not depend on its registers: tiles that are split are read once all the
	// same.
	if hint <= 1 || !tile.HasMMA(r.Op) {
		return
	}
	asked, err := trial(r, occupancy(hint))
	if errors.Is(err, passes.ErrNoTrial) {
		return
	}
	best, price, failed := hint, asked, err != nil
	if !failed {
		best = min(hint, asked.CTAs)
	}
	for n := best - 1; n >= 1; n-- {
		// The hint's own price has the margin, and the others only among themselves.
		p, err := trial(r, occupancy(n))
		if err == nil && (failed || 2*p.Beyond < price.Beyond || p.Beyond <= price.Beyond && p.Cycles < price.Cycles && cheaper(p, asked)) {
			best, price, failed = n, p, false
		}
	}
	if best == hint {
		return
	}
	r.Adopt(occupancy(best))
	r.Add(numOverruled, 1)
	why := fmt.Sprintf("of %d CTAs on an SM each takes %s, of %d %s", hint, asked, best, price)
	switch {
	case err != nil:
		why = fmt.Sprintf("%d CTAs on an SM do not work: %s", hint, err)
	case asked.Beyond > 2*price.Beyond:
		why = fmt.Sprintf("of %d CTAs on an SM, each thread lacks %d registers for its tiles", hint, asked.Beyond)
	case asked.CTAs < hint:
		why = fmt.Sprintf("an SM holds %d such CTAs", asked.CTAs)
	}
	remark.HintOverruled.At(r, r.Op.Loc(), "hint 'occupancy = %d' of kernel '%s' is not followed, and %d is taken instead: %s", hint, r.Op.SymbolName(), best, why).
		Arg(remark.HintKey, fmt.Sprintf("occupancy = %d", hint)).Arg(remark.ChosenKey, fmt.Sprint(best)).Arg(remark.ReasonKey, why).Warn()
}

// chooseWarps gives a kernel fewer warps than it would get, if that is cheaper. Fewer warps have more of a tile in the
// registers of each, and exchange less of it through shared memory. Before there are layouts, nobody knows what copies
// of tiles take, so the usual number leaves room for some. Where only that room is missing, the candidate shows what
// they take. Where both keep the busiest unit busy for as long, as memory, those with fewer instructions win.
// `mma.sync` also needs registers for fragments of its operands, so kernels with it keep the usual number.
func chooseWarps(r *passes.Run) {
	arch, err := r.Target.Arch()
	if err != nil || !arch.Has(sm.WgmmaSync) && !arch.Has(sm.Tcgen05Commit) || contract.KernelSpecOf(r.Op).NumWarps > 0 || !tile.HasMMA(r.Op) {
		return
	}
	need := pressure.Of(r.Op, arch, pressure.View{}).Most()
	usual := pressure.Warps(r.Op, need, budget.Warpgroup, arch)
	fewer := pressure.WarpsFor(budget.ForLoops, r.Op, need, budget.Warpgroup, arch)
	if fewer >= usual {
		return
	}
	variant := passes.Variant{Name: fmt.Sprintf("%d warps", fewer), Change: func(kernel ir.Op) { tileaa.SetNumWarps(kernel, fewer) }}
	now, err := trial(r, passes.Variant{Name: "as it is"})
	if err != nil {
		return
	}
	p, err := trial(r, variant)
	if err == nil && (cheaper(p, now) || p.Cycles <= now.Cycles && p.Issue*100 < now.Issue*(100-margin)) && p.Registers <= int64(budget.Of(r.Op, arch).WithWarps(fewer).Registers(budget.ForLoops)) {
		r.Adopt(variant)
	}
}

func occupancy(n int) passes.Variant {
	return passes.Variant{Name: fmt.Sprintf("occupancy = %d", n), Change: func(kernel ir.Op) { contract.SetOccupancy(kernel, n) }}
}

// cheaper reports whether a price is below another one by more than the model can be wrong.
func cheaper(p, than passes.Price) bool { return p.Cycles*100 < than.Cycles*(100-margin) }

// tryAlternatives prices what later passes could do otherwise, and adopts the cheapest if it is to.
func tryAlternatives(r *passes.Run, choose bool) {
	now, err := trial(r, passes.Variant{Name: "as it is"})
	if err != nil {
		return
	}
	var best *passes.Variant
	least := now
	for _, v := range r.Alternatives() {
		p, err := trial(r, v)
		said := p.String()
		if err != nil {
			said = "does not compile"
		} else if cheaper(p, now) && p.Cycles < least.Cycles {
			best, least = &v, p
		}
		remark.Candidate.At(r, r.Op.Loc(), "kernel '%s' with %s: %s; as it is: %s", r.Op.SymbolName(), v.Name, said, now).
			Arg(remark.CandidateKey, v.Name).Arg(remark.PriceKey, said).Arg(remark.ChosenPriceKey, now.String()).Report()
	}
	if best != nil && choose {
		r.Adopt(*best)
	}
}

// trial prices the kernel as a variant.
func trial(r *passes.Run, v passes.Variant) (passes.Price, error) {
	r.Add(numCandidates, 1)
	p, err := r.Trial(v)
	if err != nil && !errors.Is(err, passes.ErrNoTrial) {
		r.Add(numFailed, 1)
	}
	r.Log.Debug().Str("variant", v.Name).Stringer("price", p).Err(err).Msg("tried")
	return p, err
}
