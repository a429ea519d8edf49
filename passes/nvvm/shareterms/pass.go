package shareterms

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/dominance"
	"github.com/tilewright/tilewright/passes/property"
)

var numShared = passes.NewStatistic("shared", "pairs of terms that several addresses, conditions or sums share")

// Pass is nvvm-share-terms.
var Pass = passes.Register(&passes.Pass{
	Name:     "nvvm-share-terms",
	Summary:  "group terms of addresses, conditions and sums so that they share parts",
	Doc:      "Takes addresses, conjunctions and sums of 32 bits apart, and computes the pairs of terms once that several have in common.",
	Requires: []*passes.Property{property.NVVM},
	Steps:    []passes.Step{{MinOpt: 2}},
	After: []passes.Edge{
		{Pass: "nvvm-fold-offsets", Reason: "addresses without their constants have more in common"},
		{Pass: "cse#nvvm", Reason: "equal terms are one value"},
	},
	Before: []passes.Edge{
		{Pass: "nvvm-legalize-arith", Reason: "its sequences hide sums"},
		{Pass: "licm#nvvm", Reason: "what is shared may leave a loop"},
		{Pass: "nvvm-reduce-strength", Reason: "it steps what addresses have in common"},
		{Pass: "nvvm-fuse-multiplies", Reason: "a product joins the last addition"},
	},
	Statistics: []*passes.Statistic{numShared},
	Uses:       []*passes.Analysis{dominance.Analysis.Analysis},
	Preserves:  []*passes.Analysis{dominance.Analysis.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	dom := dominance.Analysis.Get(r)
	s := &sharer{dom: dom, may: r.May}
	for _, k := range kinds {
		s.share(k, s.collect(r.Op, k))
	}
	r.Add(numShared, s.shared)
	return nil
}

type sharer struct {
	dom    *ir.Dominance
	may    func(what string, op ir.Op) bool
	shared int
}
