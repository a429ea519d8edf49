package narrowintegers

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/integers"
	"github.com/tilewright/tilewright/passes/property"
)

var numNarrowed = passes.NewStatistic("narrowed", "operations on tensors of 64-bit integers that are narrowed to 32 bits")

// Pass is tileaa-narrow-integers.
var Pass = passes.Register(&passes.Pass{
	Name:     "tileaa-narrow-integers",
	Summary:  "narrow 64-bit integer arithmetic to 32 bits",
	Doc:      "Narrows comparisons and arithmetic on tensors of 64-bit integers to 32 bits if both operands are extended integers or provably fit, and the result does.",
	Requires: []*passes.Property{property.TileAA},
	Destroys: []*passes.Property{property.Canonical},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "tileaa-attach-facts", Reason: "what is known of an access is easier to see in one width"},
		{Pass: "tileaa-hoist-addresses", Reason: "offsets are taken apart as the program has them"},
		{Pass: "tileaa-strip-mine", Reason: "it makes masks of its own"},
		{Pass: "tileaa-version-loops", Reason: "the tests before loops are comparisons like others"},
	},
	Before: []passes.Edge{
		{Pass: "convert-tileaa-to-tileas", Reason: "a tensor gets registers by its width"},
	},
	Statistics: []*passes.Statistic{numNarrowed},
	Uses:       []*passes.Analysis{integers.Ranges.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	ranges := integers.Ranges.Get(r)
	if r.Explains() {
		wideIndices(r, ranges)
	}
	n := &narrower{ranges: ranges, may: r.May, narrow: make(map[ir.Value]ir.Value)}
	var wide []ir.Op
	r.Op.Walk(func(op ir.Op) ir.WalkResult {
		if narrowable[op.Def()] != nil && isWide(op.Operand(0)) {
			wide = append(wide, op)
		}
		return ir.Advance
	})
	for _, op := range wide {
		if n.rewrite(op) {
			r.Add(numNarrowed, 1)
		}
	}
	n.sweep()
	return nil
}
