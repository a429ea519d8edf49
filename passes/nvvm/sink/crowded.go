package sink

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/nvvm/crowd"
)

// spread moves operations of a block down to their first use in it, where more is live in the block than a thread has
// registers:
//
//	%p0 = f(0) ; %p1 = f(1) ; ... ; st %p0 ; st %p1       ->       %p0 = f(0) ; st %p0 ; %p1 = f(1) ; st %p1 ; ...
//
// A tile of addresses or masks is computed as a whole before the access that takes it, and `ptxas` keeps much of that
// order. The 128 atomic additions of a thread in a split-K epilogue of 128x128 spilled 808 bytes on sm_90, and 16 in
// this order. Where it gains less than a share of what is live, the order stays: `ptxas` knows latencies, and this pass
// does not.
func (s *sinker) spread(b ir.Block) {
	before := slices.Collect(b.Ops())
	crowded := s.crowd.Of(b, before)
	if crowded <= s.registers {
		return
	}
	moves := make(map[ir.Op]bool)
	for _, op := range slices.Backward(before) {
		if !movable(op) {
			continue
		}
		// What moves gets the place of the operation which it, or what uses it, goes before.
		if place, here := s.firstUse(op, len(before)); here && s.outlives(op, place) <= widths(op) && s.may("sink", op) {
			moves[op], *s.crowd.Place.At(op) = true, place
		}
	}
	// Each operation that stays is preceded by what it needs of those that move.
	after, placed := make([]ir.Op, 0, len(before)), make(map[ir.Op]bool)
	var place func(op ir.Op)
	place = func(op ir.Op) {
		for _, v := range op.Operands() {
			if def := v.DefiningOp(); moves[def] && !placed[def] {
				placed[def] = true
				place(def)
			}
		}
		after = append(after, op)
	}
	for _, op := range before {
		if !moves[op] {
			place(op)
		}
	}
	if s.crowd.Of(b, after) > crowded-crowded/leastGain {
		return
	}
	for i, op := range after {
		if op.MoveToEnd(b); op != before[i] {
			s.moved++
		}
	}
}

// leastGain is the divisor of what is live that a new order must save: a quarter. The split-K epilogue saves 60%.
const leastGain = 4

// firstUse returns the place of the first operation that uses results of one of its block, which has n operations;
// here is false if another block uses it, or an MMA, whose fence comes after what threads compute for it.
func (s *sinker) firstUse(op ir.Op, n int) (place int, here bool) {
	place = n
	for u := range uses(op) {
		if u.Owner().Block() != op.Block() || u.Owner().Is(nvvm.WgmmaMma) {
			return 0, false
		}
		place = min(place, *s.crowd.Place.At(u.Owner()))
	}
	return place, true
}

// outlives returns the bits of the operands that would have to live longer if an operation stood at another place of
// its block: those without a use further down, except those that move along.
func (s *sinker) outlives(op ir.Op, place int) (bits int) {
	for i, v := range op.Operands() {
		def := v.DefiningOp()
		if !def.IsNil() && def.Is(arith.Constant) || repeated(op, i) {
			continue
		}
		needed := false
		for u := range v.Uses() {
			if user := u.Owner(); user != op && (user.Block() != op.Block() || *s.crowd.Place.At(user) >= place) {
				needed = true
				break
			}
		}
		if !needed && (def.IsNil() || !v.HasOneUse() || def.Block() != op.Block() || !movable(def)) {
			bits += crowd.Width(v)
		}
	}
	return bits
}
