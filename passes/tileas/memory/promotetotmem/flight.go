package promotetotmem

import (
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow"
)

// A wait tells a phase of an mbarrier from the next one by its parity alone. If MMA n - stages were still in
// flight, a wait for MMA n would take the phase of MMA n - 2*stages for it. So no more MMAs may be in flight than
// there are mbarriers.
//
// How many are in flight does not follow from the waits alone. Two MMAs in a row are two, although the wait after
// them leaves none. MMAs whose operands are never overwritten have no wait in their loop at all.

const (
	fewStages  = 4  // of a pipe for MMAs that no wait holds back
	mostStages = 64 // bounds what waits can ask for
)

// A flight is how many MMAs are in flight at most.
type flight struct {
	peak int
	held map[ir.Op]bool // MMAs before which the limit is reached: one MMA must complete first
}

// newFlight finds how many MMAs are in flight if no more than a limit are allowed.
func newFlight(fn ir.Op, limit int) *flight {
	f := &flight{held: make(map[ir.Op]bool)}
	problem := dataflow.Dense[int]{
		Join:  func(a, b int) int { return max(a, b) },
		Equal: func(a, b int) bool { return a == b },
		Transfer: func(op ir.Op, n int) int {
			switch {
			case isMMA(op):
				return min(n+1, limit)
			case op.Is(tileas.DotWait):
				pending, _ := op.IntAttr(tileas.AttrPending)
				return int(min(int64(n), max(pending, 0)))
			}
			return n
		},
	}
	problem.Forward(fn).Walk(func(op ir.Op, n int) {
		if isMMA(op) {
			f.held[op] = n == limit
			f.peak = max(f.peak, min(n+1, limit))
		}
	})
	return f
}
