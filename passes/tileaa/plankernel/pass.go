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
layouts decide whether their registers suffice, and tiles that are not split, where element-wise results may not take
registers of their own. With try=price or try=choose, candidates are also all values of options that later passes
declare as worth a trial, one at a time. A remark names each with its price.`,
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

// savedByWarps is by how many percent fewer instructions fewer warps must issue if the busiest unit works for as long. It
// is less than the margin, since the model leaves out what each warp does for itself, such as addresses. Measured on 38
// kernels: where the model saves 3 to 10%, machine code issues 5 to 43% less, and 4% more in one.
const savedByWarps = 3

func run(r *passes.Run) error {
	try := passes.OptionsOf[Options](r).Try
	switch try {
	case Hints, Prices, Choose:
	default:
		return fmt.Errorf("option 'try' must be %s, %s or %s, but got '%s'", Hints, Prices, Choose, try)
	}
	k := &kernel{Run: r}
	k.chooseOccupancy()
	k.chooseTiles()
	if try != Hints {
		k.tryAlternatives(try == Choose)
	}
	return nil
}

// A kernel is what variants are tried of.
type kernel struct {
	*passes.Run
	now *passes.Price // of the kernel with what is adopted so far; nil: not known
}

// price returns the price of the kernel with what is adopted so far.
func (k *kernel) price() (passes.Price, error) {
	if k.now != nil {
		return *k.now, nil
	}
	p, err := k.trial(passes.Variant{Name: "as it is"})
	if err == nil {
		k.now = &p
	}
	return p, err
}

// chooseOccupancy follows the hint of occupancy, unless fewer CTAs on an SM are cheaper.
func (k *kernel) chooseOccupancy() {
	hint := contract.KernelSpecOf(k.Op).Occupancy
	// Without MMAs, what a CTA computes does not depend on its registers: tiles that are split are read once all the
	// same.
	if hint <= 1 || !tile.HasMMA(k.Op) {
		return
	}
	asked, err := k.trial(occupancy(hint))
	if errors.Is(err, passes.ErrNoTrial) {
		return
	}
	best, price, failed := hint, asked, err != nil
	if !failed {
		if best = min(hint, asked.CTAs); best == hint {
			k.now = &asked
		}
	}
	for n := best - 1; n >= 1; n-- {
		// The hint's own price has the margin, and the others only among themselves.
		p, err := k.trial(occupancy(n))
		if err == nil && (failed || 2*p.Beyond < price.Beyond || p.Beyond <= price.Beyond && p.Cycles < price.Cycles && cheaper(p, asked)) {
			best, price, failed, k.now = n, p, false, &p
		}
	}
	if best == hint {
		return
	}
	k.Adopt(occupancy(best))
	k.Add(numOverruled, 1)
	why := fmt.Sprintf("of %d CTAs on an SM each takes %s, of %d %s", hint, asked, best, price)
	switch {
	case err != nil:
		why = fmt.Sprintf("%d CTAs on an SM do not work: %s", hint, err)
	case asked.Beyond > 2*price.Beyond:
		why = fmt.Sprintf("of %d CTAs on an SM, each thread lacks %d registers for its tiles", hint, asked.Beyond)
	case asked.CTAs < hint:
		why = fmt.Sprintf("an SM holds %d such CTAs", asked.CTAs)
	}
	remark.OverruleOccupancy(k.Run, hint, best, why)
}

// chooseTiles decides how much of a tile each thread holds: in how many warps, and whether tiles are split.
func (k *kernel) chooseTiles() {
	candidates := k.tileCandidates()
	if len(candidates) == 0 {
		return
	}
	now, err := k.price()
	if err != nil {
		return
	}
	best := passes.Variant{}
	for _, c := range candidates {
		p, err := k.trial(c.Variant)
		if err == nil && p.Registers <= c.room && (cheaper(p, now) || !cheaper(now, p) && p.Issue*100 < now.Issue*(100-c.saves)) {
			best, now = c.Variant, p
		}
	}
	k.Adopt(best)
	k.now = &now
}

// A tileCandidate is another number of warps, or another way to split tiles.
type tileCandidate struct {
	passes.Variant
	room  int64 // registers of a thread that its tiles may take, where layouts are known
	saves int64 // percent of the instructions, if it is not cheaper
}

// tileCandidates returns what is worth a trial.
//
// Tiles are split if registers do not hold them entirely. ptxas orders element-wise work by element, so that its results may
// take less. Where that makes a difference, a candidate splits only what does not fit then either.
//
// Fewer warps have more of a tile in the registers of each, and exchange less of it through shared memory. Before there
// are layouts, nobody knows what copies of tiles take, so the usual number leaves room for some, and for element-wise
// results as entire tiles. Asynchronous MMAs leave little else to copy: they read operands from memory. `mma.sync` needs
// registers for fragments of them, so with it there must be room for copies all the same.
func (k *kernel) tileCandidates() (out []tileCandidate) {
	arch, err := k.Target.Arch()
	if err != nil || !tile.HasMMA(k.Op) {
		return nil
	}
	add := func(v passes.Variant, warps int, saves int64) {
		out = append(out, tileCandidate{v, int64(budget.Of(k.Op, arch).WithWarps(warps).Registers(budget.ForCounted)), saves})
	}
	entire, need := pressure.Of(k.Op, arch, pressure.View{Entire: true}).Most(), pressure.Of(k.Op, arch, pressure.View{}).Most()
	hint := contract.KernelSpecOf(k.Op).NumWarps
	most := budget.Of(k.Op, arch).WithWarps(max(hint, pressure.MostWarps))
	splits := entire > int64(most.Registers(budget.ForLoops)*most.Threads())
	unsplit, can := k.byElement()
	if splits && need < entire && can {
		add(unsplit, most.Warps, margin)
	}
	usual := pressure.Warps(k.Op, entire, budget.Warpgroup, arch)
	if hint > 0 || usual == budget.Warpgroup {
		return out
	}
	fewer := passes.Variant{Name: fmt.Sprintf("%d warps", usual/2), Change: func(kernel ir.Op) { tileaa.SetNumWarps(kernel, usual/2) }}
	purpose := budget.ForWarps
	if arch.Has(sm.WgmmaSync) || arch.Has(sm.Tcgen05Commit) {
		purpose = budget.ForCounted
	}
	fits := pressure.WarpsFor(purpose, k.Op, need, budget.Warpgroup, arch) < usual
	if fits {
		fewer.Pass, fewer.Options = unsplit.Pass, unsplit.Options
	}
	if fits || splits {
		add(fewer, usual/2, savedByWarps)
	}
	return out
}

// byElement returns the variant in which tiles are split only if element-wise work by element does not fit the registers;
// not ok: the pipeline splits no tiles, or counts so already.
func (k *kernel) byElement() (v passes.Variant, ok bool) {
	for _, v := range k.Alternatives() {
		if v.Name == "tileaa-strip-mine{entire=false}" {
			return v, true
		}
	}
	return v, false
}

func occupancy(n int) passes.Variant {
	return passes.Variant{Name: fmt.Sprintf("occupancy = %d", n), Change: func(kernel ir.Op) { contract.SetOccupancy(kernel, n) }}
}

// cheaper reports whether a price is below another one by more than the model can be wrong.
func cheaper(p, than passes.Price) bool { return p.Cycles*100 < than.Cycles*(100-margin) }

// tryAlternatives prices what later passes could do otherwise, and adopts the cheapest if it is to.
func (k *kernel) tryAlternatives(choose bool) {
	now, err := k.price()
	if err != nil {
		return
	}
	var best *passes.Variant
	least := now
	for _, v := range k.Alternatives() {
		p, err := k.trial(v)
		said := p.String()
		if err != nil {
			said = "does not compile"
		} else if cheaper(p, now) && p.Cycles < least.Cycles {
			best, least = &v, p
		}
		remark.Candidate.At(k.Run, k.Op.Loc(), "kernel '%s' with %s: %s; as it is: %s", k.Op.SymbolName(), v.Name, said, now).
			Arg(remark.CandidateKey, v.Name).Arg(remark.PriceKey, said).Arg(remark.ChosenPriceKey, now.String()).Report()
	}
	if best != nil && choose {
		k.Adopt(*best)
	}
}

// trial prices the kernel as a variant.
func (k *kernel) trial(v passes.Variant) (passes.Price, error) {
	k.Add(numCandidates, 1)
	p, err := k.Trial(v)
	if err != nil && !errors.Is(err, passes.ErrNoTrial) {
		k.Add(numFailed, 1)
	}
	k.Log.Debug().Str("variant", v.Name).Stringer("price", p).Int64("issue", p.Issue).Int64("registers", p.Registers).Err(err).Msg("tried")
	return p, err
}
