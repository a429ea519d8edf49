package intrange

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
)

// Reduce returns the range of what body combines up to n elements of a range to, in any order.
func Reduce(body ir.Block, n int64, elem Range) (Range, bool) {
	spec, ok := constfold.Combiner(body)
	if !ok || spec.In.Int != elem.W || spec.Out.Int != elem.W || n < 1 {
		return Range{}, false
	}
	switch spec.Op {
	case constfold.Min, constfold.Max, constfold.And, constfold.Or, constfold.Xor, constfold.Add:
	default:
		return Range{}, false
	}
	spec.Promise.Signed, spec.Promise.Unsigned = false, false // partial results come in another order
	// The operations are associative, so that n elements are the combination of those of the powers of two that n
	// consists of.
	var sum Range
	for power := elem; ; power = Of(&spec, []Range{power, power}) {
		if n&1 != 0 {
			if sum.W == 0 {
				sum = power
			} else {
				sum = Of(&spec, []Range{sum, power})
			}
		}
		if n >>= 1; n == 0 {
			return sum, true
		}
	}
}

// Asserts is the capability of operations after which an i1 operand is true.
var Asserts = ir.NewCap[func(op ir.Op) ir.Value]("asserts")
