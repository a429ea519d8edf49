package scf

import "github.com/tilewright/tilewright/ir"

// mostBound bounds the numbers of a for whose trips are counted, so that their difference does not overflow.
const mostBound = 1 << 32

// Trips returns how often a for with constant bounds runs; not ok: op is no for, its bounds are not constant, or they
// are beyond 2^32.
func Trips(op ir.Op) (n int64, ok bool) {
	if !op.Is(For) {
		return 0, false
	}
	return constantTrips(op.Operands()[:NumBounds], op.HasUnitAttr("unsigned"))
}

// constantTrips is Trips for a lower bound, an upper bound and a step.
func constantTrips(values []ir.Value, unsigned bool) (n int64, ok bool) {
	var bounds [NumBounds]int64
	for i, v := range values {
		a, isInt := ir.ConstantValue(v).(*ir.IntegerAttr)
		if !isInt {
			return 0, false
		}
		bounds[i] = a.Value
	}
	lower, upper, step := bounds[0], bounds[1], bounds[2]
	if lower < 0 && unsigned { // a number above all others
		return 0, false
	}
	if step <= 0 || step > mostBound || lower < -mostBound || upper > mostBound {
		return 0, false
	}
	return max(0, (upper-lower+step-1)/step), true
}
