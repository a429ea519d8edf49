package reducestrength

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// A step is by how much a value grows with each iteration: factor times a value that does not change in the loop, or factor alone.
type step struct {
	times  ir.Value
	factor int64
}

func (s step) none() bool { return s.factor == 0 }

// plus returns the sum of two steps, if it is one.
func (s step) plus(t step) (step, bool) {
	switch {
	case t.none():
		return s, true
	case s.none():
		return t, true
	}
	return step{s.times, s.factor + t.factor}, s.times == t.times
}

// scaled returns the step of a value times another one that does not change.
func (s step) scaled(by ir.Value) (step, bool) {
	switch n, known := constant(by); {
	case s.none():
		return s, true
	case known:
		return step{s.times, s.factor * n}, true
	}
	return step{by, s.factor}, s.times.IsNil()
}

// An evolution says that a value is a linear function of how many iterations have passed, in arithmetic modulo 2^n. It is exact when the sum as a number with a sign does not leave the type, so that it
// may be extended as one, and natural when that holds of it as a number without a sign.
type evolution struct {
	step           step
	exact, natural bool
	positive       bool // it is no less than 0 as a number with a sign
}

// evolutions finds the values that step, in one walk: definitions stand before their uses in the blocks of a loop, dominators first. A value of the loop that is not in the map changes in some other way.
func (c *carrier) evolutions() map[ir.Value]evolution {
	e := make(map[ir.Value]evolution)
	for i, arg := range c.loop.Header.Args() {
		next := c.latch.Operand(i).DefiningOp()
		if next.IsNil() || next.NumOperands() != 2 || next.Operand(0) != arg || c.inside(next.Operand(1)) {
			continue
		}
		by := next.Operand(1)
		n, known := constant(by)
		switch {
		case next.Is(arith.AddI) && known:
			first, given := constant(c.entry.Operand(i))
			positive := given && first >= 0 && n >= 0 && arith.Promises(next).Signed
			e[arg] = evolution{step{factor: n}, arith.Promises(next).Signed, positive || n >= 0 && arith.Promises(next).Unsigned, positive}
		case next.Is(nvvm.PtrAdd) && known:
			e[arg] = evolution{step: step{factor: n}}
		case next.Is(nvvm.PtrAdd):
			e[arg] = evolution{step: step{by, 1}}
		}
	}
	if len(e) == 0 {
		return e
	}
	for _, b := range c.loop.Own {
		for op := range b.Ops() {
			if op.NumResults() == 1 {
				if v, ok := c.evolve(op, e); ok {
					e[op.Result(0)] = v
				}
			}
		}
	}
	return e
}

// evolve returns how the result of an operation steps.
func (c *carrier) evolve(op ir.Op, e map[ir.Value]evolution) (out evolution, ok bool) {
	of := func(i int) evolution {
		v := op.Operand(i)
		if !c.inside(v) {
			n, given := constant(v)
			return evolution{exact: true, natural: true, positive: given && n >= 0}
		}
		x, known := e[v]
		ok = ok && known
		return x
	}
	ok = true
	combined := func(s step, x, y evolution) evolution {
		exact := x.exact && y.exact && arith.Promises(op).Signed
		positive := exact && x.positive && y.positive
		return evolution{s, exact, positive || x.natural && y.natural && arith.Promises(op).Unsigned, positive}
	}
	switch {
	case op.Is(arith.AddI), op.Is(nvvm.PtrAdd):
		x, y := of(0), of(1)
		s, sums := x.step.plus(y.step)
		return combined(s, x, y), ok && sums && same(op)
	case op.Is(arith.SubI):
		x, y := of(0), of(1)
		return evolution{step: x.step, exact: x.exact && y.exact && arith.Promises(op).Signed}, ok && y.step.none()
	case op.Is(arith.MulI):
		x, y := of(0), of(1)
		if x.step.none() && y.step.none() { // a product that does not change may stand in the loop: licm leaves it there where registers are few
			return combined(step{}, x, y), ok
		}
		if x.step.none() {
			x, y = y, x
		}
		by := op.Operand(1)
		if e[op.Operand(0)].step.none() {
			by = op.Operand(0)
		}
		s, product := x.step.scaled(by)
		return combined(s, x, y), ok && product && y.step.none() && !c.inside(by)
	case op.Is(arith.ExtSI):
		x := of(0)
		return evolution{x.step, true, x.positive, x.positive}, ok && x.exact && x.step.times.IsNil()
	case op.Is(arith.ExtUI):
		x := of(0)
		return evolution{x.step, true, true, true}, ok && x.natural && x.step.times.IsNil() && x.step.factor >= 0
	}
	return evolution{}, false
}

// same reports whether the offset of an address is as wide as the address, so that sums of offsets are sums of addresses.
func same(op ir.Op) bool {
	return !op.Is(nvvm.PtrAdd) || wide(op.Result(0).Type()) == (ir.BitWidth(op.Operand(1).Type()) == 64)
}

// wide reports whether a type is of addresses of 64 bits.
func wide(t ir.Type) bool {
	p, ok := t.(*nvvm.PtrType)
	return ok && p.Space != nvvm.Shared && p.Space != nvvm.Cluster
}

func constant(v ir.Value) (int64, bool) {
	a, ok := ir.ConstantValue(v).(*ir.IntegerAttr)
	if !ok || ir.BitWidth(v.Type()) > 64 {
		return 0, false
	}
	return a.Value, true
}
