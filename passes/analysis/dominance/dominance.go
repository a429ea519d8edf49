// Package dominance provides the dominator trees of an operation's regions as a cached analysis. The algorithm is in
// package ir.
package dominance

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// Analysis computes the dominator trees of the regions of an operation, each on first use. A pass that changes no
// blocks and no branches preserves it.
var Analysis = passes.NewAnalysis("dominance", "dominator trees of regions", func(*passes.Cache) *ir.Dominance {
	return ir.NewDominance()
})
