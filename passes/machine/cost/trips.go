package cost

import (
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
)

// AssumedTrips is how often a loop runs whose bounds are no constants. The larger matrices of language models have K
// extents of 4096 and 8192, in steps of 32 and 64. Alternatives are compared with the same number, so that only its
// order of magnitude matters.
const AssumedTrips = 128

// mostTimes bounds how often anything is taken to run. The work of an operation is below 2^32, so that sums of hundreds
// of them fit 64 bits.
const mostTimes = 1 << 24

// Times returns how often the regions of an operation run, if the operation runs n times. A loop with unknown bounds has
// AssumedTrips, and an operation that is no loop runs its regions once. Of the versions of a loop, the first runs as
// often as that loop, and the others once. The result is at most 2^24.
func Times(n int64, op ir.Op) int64 {
	trips, known := scf.Trips(op)
	if all, version := op.IntAttr(contract.LoopTrips); !known && version {
		trips, known = all, true
	}
	_, loops := ir.LoopLike.Of(op)
	switch {
	case !loops || op.HasUnitAttr(contract.LoopRest):
		trips = 1
	case !known:
		trips = AssumedTrips
	}
	if trips > 0 && n > mostTimes/trips {
		return mostTimes
	}
	return n * trips
}
