package looptofor

import (
	"fmt"
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/dataflow/intrange"
)

// counts finds by how much a loop-carried value changes in every iteration.
func (c *counted) counts(slot int) error {
	arg := c.loop.Body().Arg(slot)
	for _, next := range c.continues {
		op := same(next.Operand(slot)).DefiningOp()
		if op.IsNil() || !op.Is(cudatile.AddI) && !op.Is(cudatile.SubI) {
			return fmt.Errorf("what it compares is not made by an addition in each iteration")
		}
		if c.steps = append(c.steps, op); op.Def() != c.steps[0].Def() || !sameOperands(op, c.steps[0]) {
			return fmt.Errorf("iterations do not all add the same")
		}
	}
	first := c.steps[0]
	x, y := same(first.Operand(0)), first.Operand(1)
	if x != arg && first.Is(cudatile.AddI) {
		x, y = same(first.Operand(1)), first.Operand(0)
	}
	if x != arg || !c.invariant(y) {
		return fmt.Errorf("what it compares does not change by the same in each iteration")
	}
	c.slot = slot
	r := rangeOf(c.known, y)
	if !r.IsInt() {
		return fmt.Errorf("nothing is known of its step")
	}
	c.step = y
	constant, known := r.IsConst()
	// The least number has no negation, so a step of that size has no known sign when it is subtracted.
	grows, shrinks := r.SMin > 0, known && r.SMax < 0 && r.SMin > intrange.Full(r.W).SMin
	switch {
	case known && grows:
		c.size = constant
	case shrinks:
		c.size = r.W.Wrap(-constant)
	case !grows:
		return fmt.Errorf("its step is not known to be positive")
	}
	c.falls = first.Is(cudatile.SubI) != shrinks
	return nil
}

func sameOperands(x, y ir.Op) bool {
	for i, v := range x.Operands() {
		w := y.Operand(i)
		if same(v) == same(w) {
			continue
		}
		a, ok1 := cudatile.SplatBits(v)
		b, ok2 := cudatile.SplatBits(w)
		if !ok1 || !ok2 || a != b {
			return false
		}
	}
	return true
}

// wrap finds out whether the counter may wrap around before it reaches its bounds.
func (c *counted) wrap() {
	step := rangeOf(c.known, c.step)
	most := uint64(step.SMax)
	if c.size > 0 {
		most = c.size
	}
	c.wraps = slices.ContainsFunc(c.steps, func(op ir.Op) bool {
		promise := cudatile.OverflowOf(op)
		return promise != cudatile.NoWrap && (promise != cudatile.NoSignedWrap || c.unsigned) && (promise != cudatile.NoUnsignedWrap || !c.unsigned)
	})
	// One bound that stops the counter in time is enough.
	for _, l := range c.limits {
		r := rangeOf(c.known, l.bound)
		if !r.IsInt() {
			continue
		}
		// How far the last number is from the bound, which the counter is below when it is stepped.
		all := intrange.Full(r.W)
		room := uint64(0)
		switch {
		case c.unsigned && c.falls:
			room = r.UMin
		case c.unsigned:
			room = all.UMax - r.UMax
		case c.falls:
			room = uint64(r.SMin) - uint64(all.SMin)
		default:
			room = uint64(all.SMax) - uint64(r.SMax)
		}
		if l.through {
			room-- // not 0, since the bound is not the last number
		}
		if most-1 <= room {
			c.wraps = false
		}
	}
}
