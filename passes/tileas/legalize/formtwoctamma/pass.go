package formtwoctamma

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/dialects/tileas/transfer"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/machine/mma"
	"github.com/tilewright/tilewright/passes/property"
	"github.com/tilewright/tilewright/passes/remark"
	"github.com/tilewright/tilewright/passes/tileas/analysis/uniform"
	"github.com/tilewright/tilewright/target/sm"
)

// Options are the options of the pass.
type Options struct {
	Pairs bool `opt:"pairs" try:"true,false" help:"let two CTAs multiply together where they can"`
}

var numPairs = passes.NewStatistic("pairs", "MMAs that two CTAs do together")

// Pass is tileas-form-two-cta-mma.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileas-form-two-cta-mma",
	Formerly: []string{"tileas-pair-products"},
	Summary:  "form two-CTA MMAs (cta_group::2), each CTA holding half of B",
	Doc: "Pairs the CTAs of a cluster that share a B operand. Each CTA loads half of the columns of B, and one instruction computes the rows of both CTAs. " +
		"Either all MMAs of a kernel with accumulators in TMEM become two-CTA MMAs, or none.",
	Options:  func() any { return &Options{Pairs: true} },
	Requires: []*passes.Property{property.TileAS},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileas-legalize-dot", Reason: "the element types of MMAs decide which two-CTA instruction exists"},
	},
	Before: []passes.Edge{
		{Pass: "tileas-split-k-step", Reason: "half of B leaves room for a larger K step"},
		{Pass: "tileas-assign-layouts", Reason: "tiles must not have layouts yet"},
	},
	Statistics: []*passes.Statistic{numPairs},
	Run:        passes.OnArch(run),
})

func run(r *passes.Run, arch *sm.Arch) error {
	var mmas []ir.Op
	if contract.CTAsOf(r.Op)%2 == 0 && passes.OptionsOf[Options](r).Pairs {
		mmas = r.Op.Collect(func(op ir.Op) bool { return tileas.IsMMA(op) && tileas.MMAOf(op) == nil })
	}
	p := &pairing{fn: r.Op, attrs: make(map[ir.Op]*tileas.MMAAttr), cut: make(map[ir.Op]int)}
	warps := contract.KernelSpecOf(r.Op).NumWarps
	reject := func(at ir.Op, why string) {
		if why != "" {
			remark.Unpaired.At(r, at.Loc(), "no two-CTA MMA: %s", why).Arg(remark.ReasonKey, why).Report()
			p.rejected = true
		}
	}
	for _, op := range mmas {
		if !mma.AccumulatorsInTMEM(arch, op, warps) {
			continue
		}
		if p.same == nil {
			p.same = uniform.Of(r.Op)
		}
		pair, why := mma.ChoosePair(arch, op, warps)
		if why == "" {
			why = p.add(op, tileas.MMA(op.Context(), string(pair.Row.Family), pair.Row.M, pair.N, pair.Row.K, pair.Tiling.M, pair.Tiling.N))
		}
		reject(op, why)
	}
	if len(p.mmas) > 0 && !p.rejected {
		reject(p.others())
	}
	// One MMA that cannot be paired keeps all others unpaired: PTX demands one CTA group for the kernel.
	if len(p.mmas) == 0 || p.rejected || !r.May("pair", r.Op) {
		return nil
	}
	// Layouts and schedules do not exist yet, so this changes types and offsets only.
	p.write()
	for _, op := range p.mmas {
		by := ir.AttrString(tileas.MMAOf(op))
		remark.Paired.At(r, op.Loc(), "two-CTA MMA: %s", by).Arg(remark.InstructionKey, by).Report()
	}
	r.Add(numPairs, len(p.mmas))
	return nil
}

// A pairing collects what changes in a kernel if its MMAs are paired.
type pairing struct {
	fn       ir.Op
	same     *uniform.Sameness
	mmas     []ir.Op
	attrs    map[ir.Op]*tileas.MMAAttr
	cut      map[ir.Op]int // operations whose result is halved, and along which dimension
	order    []ir.Op
	columns  int
	rejected bool
}

// fromThreads reports whether threads compute an operand, of what they load or of another MMA. No MMA warp takes that from
// the threads of two CTAs.
func fromThreads(v ir.Value) bool {
	computed := false
	work := ir.NewWorklist(v)
	for v := range work.All() {
		if def := v.DefiningOp(); !def.IsNil() && !tileas.IsMMA(def) && !transfer.Accesses.Has(def) {
			computed = computed || !transfer.Cheap.Has(def)
			work.Add(ir.Filter(def.Operands(), ir.IsTensor)...)
		}
	}
	return computed
}

// add adds an MMA, or returns why two CTAs cannot compute it.
func (p *pairing) add(op ir.Op, attr *tileas.MMAAttr) string {
	b := op.Operand(1)
	if p.same.Differs(b) {
		return "the CTAs have different B operands"
	}
	if why := p.same.Uneven(op); why != "" {
		return why
	}
	if slices.ContainsFunc(op.Operands()[:2], fromThreads) {
		return "threads compute an operand: those of both CTAs would wait for each other in each iteration, and for the MMA"
	}
	if why := p.halve(b, len(tile.Shape(b.Type()))-1); why != "" {
		return why
	}
	p.mmas = append(p.mmas, op)
	p.attrs[op] = attr
	if p.columns += mma.Columns(op); p.columns > linear.ColumnsOfTMEM {
		return "the accumulators of all MMAs do not fit in TMEM"
	}
	return ""
}
