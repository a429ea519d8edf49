package cse

import (
	"github.com/tilewright/tilewright/passes"
	"github.com/tilewright/tilewright/passes/analysis/dominance"
	"github.com/tilewright/tilewright/passes/property"
)

var (
	numMerged = passes.NewStatistic("num-merged", "operations replaced by an equal one")
	numErased = passes.NewStatistic("num-erased", "dead operations erased")
)

// Pass is the pass.
var Pass = passes.Register(&passes.Pass{
	Name:    "cse",
	Summary: "eliminate common subexpressions",
	Doc: `Replaces an operation by an equal one that dominates it, when its effects allow that: operations without effects, and reads with no
write in between. Dead operations are erased.`,
	Steps: []passes.Step{
		{Level: property.CudaTile, MinOpt: 1},
		{Label: "tileaa", Level: property.TileAA, MinOpt: 1},
		{Label: "nvvm", Level: property.NVVM, MinOpt: 1},
	},
	After:      []passes.Edge{{Pass: "canonicalize", Reason: "equal operations look equal in canonical form"}},
	Statistics: []*passes.Statistic{numMerged, numErased},
	Uses:       []*passes.Analysis{dominance.Analysis.Analysis},
	Preserves:  []*passes.Analysis{dominance.Analysis.Analysis},
	Run:        run,
})

func run(r *passes.Run) error {
	dom := dominance.Analysis.Get(r)
	e := &eliminator{dom: dom, table: newTable(), may: r.May}
	for i := range r.Op.NumRegions() {
		e.region(r.Op.Region(i))
	}
	e.bury()
	r.Add(numMerged, e.merged)
	r.Add(numErased, e.erased)
	return nil
}
