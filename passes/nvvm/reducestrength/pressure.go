package reducestrength

import (
	"github.com/tilewright/tilewright/ir"
)

// width returns the registers of 32 bits that a value takes; a predicate has its own.
func width(t ir.Type) int {
	switch n := ir.BitWidth(t); {
	case n == 1:
		return 0
	case n > 0:
		return (n + 31) / 32
	case wide(t):
		return 2
	}
	return 1
}

// pressure estimates the registers that a thread needs in the loop: the most that are live at once, in program
// order. Some values count everywhere: those from outside that the loop uses, those needed after it or by a loop
// around it, and those that cross blocks in it.
func (c *carrier) pressure() int {
	always := make(map[ir.Value]bool)
	for _, b := range c.loop.Own {
		for op := range b.Ops() {
			for i := range op.NumOperands() {
				if v := op.Operand(i); !c.inside(v) || v.Block() != b && !v.IsBlockArg() {
					// Constants are taken to need no register.
					always[v] = always[v] || !isConstant(v)
				}
			}
		}
	}
	c.passing(func(v ir.Value) { always[v] = true })
	base := 0
	for v, is := range always {
		if is {
			base += width(v.Type())
		}
	}
	most := 0
	for _, b := range c.loop.Own {
		alive, n := make(map[ir.Value]bool), base
		add := func(v ir.Value) {
			if !alive[v] && !always[v] && !isConstant(v) {
				alive[v] = true
				n += width(v.Type())
			}
		}
		// At the end of the latch, the values of the next iteration replace the header's arguments.
		for _, arg := range c.loop.Header.Args() {
			if b != c.latch.Block() {
				add(arg)
			}
		}
		for op := b.Last(); !op.IsNil(); op = op.Prev() {
			for i := range op.NumOperands() {
				add(op.Operand(i))
			}
			most = max(most, n)
			for _, r := range op.Results() {
				if alive[r] {
					delete(alive, r)
					n -= width(r.Type())
				}
			}
		}
		most = max(most, n)
	}
	return most
}

// passing calls f for each value that is defined before the loop and needed after it, or in the next iteration of
// a loop around it. Such a value has a use after the header in the dominator tree, or in a loop around this one
// that the value enters from outside.
func (c *carrier) passing(f func(ir.Value)) {
	later := func(v ir.Value) bool {
		for u := range v.Uses() {
			at := u.Owner().Block()
			if c.nest.Contains(c.loop, at) {
				continue
			}
			if c.dom.BlockDominates(c.loop.Header, at) {
				return true
			}
			for l := c.loop.Parent; l != nil && !c.nest.Contains(l, v.Block()); l = l.Parent {
				if c.nest.Contains(l, at) {
					return true
				}
			}
		}
		return false
	}
	for b := c.entry.Block(); !b.IsNil(); b = c.dom.IDom(b) {
		for _, arg := range b.Args() {
			if later(arg) {
				f(arg)
			}
		}
		for op := range b.Ops() {
			for _, r := range op.Results() {
				if !isConstant(r) && later(r) {
					f(r)
				}
			}
		}
	}
}

func isConstant(v ir.Value) bool {
	def := v.DefiningOp()
	return !def.IsNil() && def.HasTrait(ir.ConstantLike)
}
