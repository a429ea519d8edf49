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

// Maps that CTAs make cost each of them time before its first copy. The iterations of the loop must win it back.
//
// A CTA makes three round trips to global memory, one after the other (tileastonvvm/async/devicemap.go). It takes a
// slot, writes its maps, and lets the threads that start copies see them. An iteration gains the issue slots of the
// copies by threads (package cost), and what hands them to the MMA: a fence between the proxies and a barrier of the
// CTA, for both operands together. On sm_90 a map costs 3 x 493 cycles. An iteration gains 27 + 16 for 128 x 64 elements
// of f16 copied by 128 threads, and 12 + 16 for half as many: 35 and 53 iterations.
//
// No other CTA hides that, although it is latency: on an H100 each map takes 5.3 ns of a launch for each CTA, in
// proportion to the grid, since invalidations of caches are serialized. That is 1,200 cycles of each of 132 SMs. An
// earlier form, of five round trips and more, took some 9,000 cycles on an H200 (docs/measurements/h200.md).
const mapTrips = 3

// WaitForMap returns how many cycles pass until a copy can use a map that the CTA makes.
func WaitForMap(arch *sm.Arch) int { return mapTrips * arch.Memory().Global }

// PaysForMap says why a TMA copy, of so many bytes in so many boxes, runs too seldom for a map that each CTA makes.
func PaysForMap(load ir.Op, site *Site, arch *sm.Arch, warps, bytes, boxes int, ranges *intrange.Ranges) (why string) {
	m := cost.NewModel(arch, warps)
	const operands = 2
	handover := (arch.Memory().Barrier + arch.Async().ProxyFence) / operands
	return PaysBy(m.CopyByThreads(bytes).Busy[sm.UnitIssue]-m.CopyByMap(bytes, boxes).Busy[sm.UnitIssue]+handover, load, site, arch, ranges)
}

// PaysBy is PaysForMap for a copy that gains so many issue slots.
func PaysBy(gain int, load ir.Op, site *Site, arch *sm.Arch, ranges *intrange.Ranges) (why string) {
	if iterations, price := iterations(load, site, ranges), WaitForMap(arch); iterations*int64(gain) < int64(price) {
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
