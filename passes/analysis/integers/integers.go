// Package integers provides cached analyses of integers and addresses: the range of each, and what divides it. The
// algorithms are in ir/dataflow/intrange and ir/dataflow/divisibility.
package integers

import (
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
)

// Ranges computes the ranges of integers inside an operation, without isolated operations in it. A pass that changes
// no values and no control flow preserves it.
var Ranges = passes.NewAnalysis("integer-ranges", "numbers that integers can be", func(c *passes.Cache) *intrange.Ranges {
	return intrange.Analyze(c.Op())
})

// Divisibility computes the divisors of integers and addresses inside an operation, without isolated operations in it.
// A pass that changes no values and no control flow preserves it.
var Divisibility = passes.NewAnalysis("divisibility", "powers of two that divide integers and addresses", func(c *passes.Cache) *divisibility.Facts {
	return divisibility.Analyze(c.Op(), Ranges.At(c))
})
