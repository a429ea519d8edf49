// Package integers makes what is known about integers and addresses available to passes as cached analyses: the numbers that each can be, and what
// divides it.
package integers

import (
	"github.com/tilewright/tilewright/ir/dataflow/divisibility"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes"
)

// Ranges computes the ranges of the integers inside an operation, but not inside isolated operations in it. A pass that changes no values and no control
// flow preserves it.
var Ranges = passes.NewAnalysis("integer-ranges", "numbers that integers can be", func(c *passes.Cache) (*intrange.Ranges, error) {
	return intrange.Analyze(c.Op()), nil
})

// Divisibility computes what divides the integers and addresses inside an operation, but not inside isolated operations in it. A pass that
// changes no values and no control flow preserves it.
var Divisibility = passes.NewAnalysis("divisibility", "powers of two that divide integers and addresses", func(c *passes.Cache) (*divisibility.Facts, error) {
	ranges, err := Ranges.At(c)
	if err != nil {
		return nil, err
	}
	return divisibility.Analyze(c.Op(), ranges), nil
})
