package tma

import (
	"fmt"

	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
	"github.com/tilewright/tilewright/passes/machine/cost"
	"github.com/tilewright/tilewright/target/sm"
)

// PaysForMap says why a TMA copy, of so many bytes in so many boxes, runs too seldom for a map that each CTA makes.
func PaysForMap(load ir.Op, site *Site, arch *sm.Arch, warps, bytes, boxes int, ranges *intrange.Ranges) (why string) {
	m := cost.NewModel(arch, warps)
	const operands = 2
	handover := (arch.Memory().Barrier + arch.Async().ProxyFence) / operands
	return PaysBy(m.CopyByThreads(bytes).Busy[sm.UnitIssue]-m.CopyByMap(bytes, boxes).Busy[sm.UnitIssue]+handover, load, site, arch, ranges)
}

// PaysBy is PaysForMap for a copy that gains so many issue slots.
func PaysBy(gain int, load ir.Op, site *Site, arch *sm.Arch, ranges *intrange.Ranges) (why string) {
	if iterations, price := iterations(load, site, ranges), cost.WaitForMap(arch); iterations*int64(gain) < int64(price) {
		return fmt.Sprintf("a map that each CTA makes costs about %d cycles, and %d copies gain about %d each", price, iterations, gain)
	}
	return ""
}

// iterations returns how often an operation is executed for each map, by the bounds of the loops around it. Of loops
// that may run more often than assumed, the innermost runs as often as that, and others once.
func iterations(op ir.Op, site *Site, ranges *intrange.Ranges) int64 {
	n, assumed := int64(1), int64(cost.AssumedTrips)
	for at := op.ParentOp(); !at.HasTrait(ir.IsolatedFromAbove) && (site == nil || at != site.Around()); at = at.ParentOp() {
		if !at.Is(scf.For) {
			continue
		}
		least, most := trips(at, ranges)
		if at.Attr(contract.LoopVersion) != nil { // the versions of a loop share its maps
			if least, most = 0, mostTrips; at.Attr(contract.LoopTrips) != nil {
				least, _ = at.IntAttr(contract.LoopTrips)
				most = least
			}
		}
		n = min(n*min(max(least, min(most, assumed)), mostTrips), cost.AssumedTrips*cost.AssumedTrips) // far beyond what decides anything
		if most > assumed {
			assumed = 1
		}
	}
	return n
}

// mostTrips is how often a loop runs that runs more often than decides anything.
const mostTrips = 1 << 32

// trips returns how often a loop runs at least and at most.
func trips(loop ir.Op, ranges *intrange.Ranges) (least, most int64) {
	lower, upper, step := ranges.Of(loop.Operand(0)), ranges.Of(loop.Operand(1)), ranges.Of(loop.Operand(2))
	count := func(from, to, by int64) int64 {
		if to <= from {
			return 0
		}
		// Bounds may be the least and the largest number of 64 bits, whose difference fits 64 bits without a sign.
		return int64(min((uint64(to)-uint64(from)-1)/uint64(by)+1, mostTrips))
	}
	return count(lower.SMax, upper.SMin, max(1, step.SMax)), count(lower.SMin, upper.SMax, max(1, step.SMin))
}
