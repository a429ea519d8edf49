// Package dominance makes the dominator trees of an operation's regions available to passes as a cached analysis.
package dominance

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes"
)

// Analysis computes the dominator trees of the regions of an operation, each when it is first asked about. A pass
// that changes no blocks and no branches preserves it.
var Analysis = passes.NewAnalysis("dominance", "dominator trees of regions", func(*passes.Cache) (*ir.Dominance, error) {
	return ir.NewDominance(), nil
})
