package foldoffsets

import (
	"math"

	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/property"
)

var numFolded = passes.NewStatistic("folded", "accesses that add a constant to an address themselves")

// Pass is nvvm-fold-offsets.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-fold-offsets",
	Summary:  "fold constant parts of addresses into the accesses",
	Doc:      "Takes constants out of the computation of addresses of 64 bits and adds them in the access, so that neighbours share an address.",
	Requires: []*passes.Property{property.NVVM},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 1}},
	After: []passes.Edge{
		{Pass: "nvvm-unroll-loops", Reason: "counters of unrolled loops are constants"},
	},
	Before: []passes.Edge{
		{Pass: "cse#nvvm", Reason: "addresses without their constants are equal"},
		{Pass: "nvvm-legalize-arith", Reason: "its sequences hide sums"},
	},
	Creates:    []string{"arith", "nvvm"},
	Statistics: []*passes.Statistic{numFolded},
	Uses:       []*passes.Analysis{integers.Ranges.Analysis},
	Run:        run,
})

// An operand is an address that an access adds an attribute to.
type operand struct {
	index int
	attr  string
}

// accesses lists the operations that add a constant to an address.
var accesses = map[*ir.OpDef]operand{
	nvvm.Ld: {0, nvvm.AttrOffset}, nvvm.St: {0, nvvm.AttrOffset}, nvvm.AtomicRMW: {0, nvvm.AttrOffset}, nvvm.AtomicCAS: {0, nvvm.AttrOffset},
	nvvm.Red:     {0, nvvm.AttrOffset},
	nvvm.CpAsync: {1, nvvm.AttrSourceOffset},
}

func run(r *passes.Run) error {
	ranges := integers.Ranges.Get(r)
	s := &splitter{in: ranges, parts: make(map[key]part), made: make(map[key]ir.Value)}
	folded := 0
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		at, ok := accesses[op.Def()]
		if !ok {
			return ir.Advance
		}
		p := op.Operand(at.index)
		old, _ := op.IntAttr(at.attr)
		k := s.split(key{p, signed}).k
		// Immediate offsets are signed numbers of 32 bits.
		if k == 0 || k < math.MinInt32/2 || k > math.MaxInt32/2 || old < math.MinInt32/2 || old > math.MaxInt32/2 || !r.May("fold-offset", op) {
			return ir.Advance
		}
		op.SetOperand(at.index, s.rest(key{p, signed}))
		op.SetAttr(at.attr, op.Context().IntAttr(op.Context().Int(64), old+k))
		folded++
		return ir.Advance
	})
	r.Add(numFolded, folded)
	return nil
}
