package licm

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/alias"
	"github.com/tilewright/tilewright/passes/analysis/dominance"
	"github.com/tilewright/tilewright/passes/property"
)

// Options are the options of the pass.
type Options struct {
	HoistReads bool `opt:"hoist-reads" help:"move loads too, where nothing in the loop writes and the loop provably executes them"`
	MaxLive    int  `opt:"max-live" help:"move what makes a loop keep more values alive only while these are at most so many; 0: no limit"`
	Speculate  bool `opt:"speculate" help:"move what a loop that runs zero times would not have executed, where that does no harm"`
}

var (
	numHoisted = passes.NewStatistic("num-hoisted", "operations moved out of a loop, counted once for each loop")
	numReads   = passes.NewStatistic("num-reads-hoisted", "those among them that read memory")
)

// Pass is the pass.
var Pass = passes.Register(&passes.Pass{
	Name:    "licm",
	Title:   "LoopInvariantCodeMotion",
	Summary: "move loop-invariant operations out of loops",
	Doc: `Moves loop-invariant operations before the loop: those without effects that are speculatable, and those,
loads included, that the loop provably executes and that nothing in it influences. Loops are operations that say that
they are, and natural loops of control-flow graphs. Inner ones come first.`,
	Options: func() any { return &Options{HoistReads: true, Speculate: true} },
	Steps: []passes.Step{
		{Level: property.CudaTile, MinOpt: 2, After: cleaned},
		{Label: "tileaa", Level: property.TileAA, MinOpt: 2, After: cleaned},
		{Label: "tileas", Level: property.TileAS, MinOpt: 2,
			After: []passes.Edge{{Pass: "tileas-remove-layout-conversions", Reason: "conversions that go away need no moving"}},
			Before: []passes.Edge{{Pass: "tileas-materialize-convert-layout",
				Reason: "a conversion through shared memory is one operation without effects only until then"}}},
		// A thread has 255 registers at most, fewer where a block is large, and all that is moved here takes one.
		// Measured on the corpus for sm_90 with ptxas 13.5 and the emulator: 48 keeps nine tenths of the instructions
		// that are saved without a limit; from 56 on a case spills that did not.
		{Label: "nvvm", Level: property.NVVM, MinOpt: 2, Options: "max-live=48", After: append([]passes.Edge{
			{Pass: "nvvm-expand-math", Reason: "constants and scale factors of an expansion need not stay in a loop"},
			{Pass: "nvvm-legalize-arith", Reason: "parts of the sequence of one operation may be invariant"},
		}, cleaned...)},
	},
	Statistics: []*passes.Statistic{numHoisted, numReads},
	Uses:       []*passes.Analysis{dominance.Analysis.Analysis, alias.Analysis.Analysis},
	Preserves:  []*passes.Analysis{dominance.Analysis.Analysis},
	Run:        run,
})

// cleaned are the passes that make a loop smaller before it is looked at.
var cleaned = []passes.Edge{
	{Pass: "canonicalize", Reason: "folded operations need no moving, and constant bounds prove that a loop runs"},
	{Pass: "cse", Reason: "equal operations move once"},
}

func run(r *passes.Run) error {
	dom := dominance.Analysis.Get(r)
	h := &hoister{opts: passes.OptionsOf[Options](r), dom: dom, may: r.May}
	known := make(map[ir.Op]*alias.Aliases)
	h.aliases = func(op ir.Op) *alias.Aliases {
		kernel := isolated(op)
		a, ok := known[kernel]
		if !ok {
			if kernel == r.Op {
				a = alias.Analysis.Get(r)
			} else { // the pass runs on what is around kernels
				a = alias.New(kernel, intrange.Analyze(kernel))
			}
			known[kernel] = a
		}
		return a
	}
	for i := range r.Op.NumRegions() {
		h.region(r.Op.Region(i))
	}
	r.Add(numHoisted, h.moved)
	r.Add(numReads, h.reads)
	return nil
}

// isolated returns the operation around another one that shares no values with what is outside.
func isolated(op ir.Op) ir.Op {
	for !op.HasTrait(ir.IsolatedFromAbove) && !op.ParentOp().IsNil() {
		op = op.ParentOp()
	}
	return op
}

// region handles the loops of a region, those inside others first.
func (h *hoister) region(r ir.Region) {
	if r.Empty() {
		return
	}
	for b := range r.Blocks() {
		for op := range b.Ops() {
			for i := range op.NumRegions() {
				h.region(op.Region(i))
			}
			if describe, ok := ir.LoopLike.Of(op); ok {
				h.hoist(structured(describe(op)))
			}
		}
	}
	if !r.HasOneBlock() {
		for _, l := range naturalLoops(r, h.dom) {
			h.hoist(l)
		}
	}
}
