package reducestrength

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// A step is how much a value grows in each iteration: factor times an invariant value, or factor alone.
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

// scaled returns the step of a value times an invariant one.
func (s step) scaled(by ir.Value) (step, bool) {
	switch n, known := constant(by); {
	case s.none():
		return s, true
	case known:
		return step{s.times, s.factor * n}, true
	}
	return step{by, s.factor}, s.times.IsNil()
}

// An evolution says that a value is a linear function of the number of past iterations, modulo 2^n. It is exact
// if it does not leave the range of signed numbers, so that it may be sign-extended. It is natural if it does not
// leave the range of unsigned numbers.
type evolution struct {
	step           step
	exact, natural bool
	positive       bool // it is at least 0 as a signed number
}

// evolutions finds the values that step, in one walk: in the blocks of a loop, dominators first, definitions come
// before uses. A value of the loop that is not in the map changes in some other way.
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
func (c *carrier) evolve(op ir.Op, e map[ir.Value]evolution) (evolution, bool) {
	if !slices.Contains(evolving, op.Def()) {
		return evolution{}, false
	}
	x, ok := c.evolutionOf(op.Operand(0), e)
	y := evolution{exact: true, natural: true}
	if ok && op.NumOperands() > 1 {
		y, ok = c.evolutionOf(op.Operand(1), e)
	}
	if !ok {
		return evolution{}, false
	}
	switch {
	case op.Is(arith.MulI):
		return c.evolveProduct(op, x, y)
	case op.Is(arith.SubI):
		return evolution{step: x.step, exact: x.exact && y.exact && arith.Promises(op).Signed}, y.step.none()
	// Extending commutes with the steps only if the narrow value did not wrap.
	case op.Is(arith.ExtSI):
		return evolution{x.step, true, x.positive, x.positive}, x.exact && x.step.times.IsNil()
	case op.Is(arith.ExtUI):
		return evolution{x.step, true, true, true}, x.natural && x.step.times.IsNil() && x.step.factor >= 0
	}
	s, ok := x.step.plus(y.step)
	return combined(op, s, x, y), ok && same(op)
}

// evolving are the operations whose results step if their operands do.
var evolving = []*ir.OpDef{arith.AddI, nvvm.PtrAdd, arith.SubI, arith.MulI, arith.ExtSI, arith.ExtUI}

// evolutionOf returns how a value steps: not at all if it comes from outside of the loop.
func (c *carrier) evolutionOf(v ir.Value, e map[ir.Value]evolution) (evolution, bool) {
	if c.inside(v) {
		x, ok := e[v]
		return x, ok
	}
	n, given := constant(v)
	return evolution{exact: true, natural: true, positive: given && n >= 0}, true
}

// evolveProduct returns how a multiplication steps, if one of its operands does and the other is invariant.
func (c *carrier) evolveProduct(op ir.Op, x, y evolution) (evolution, bool) {
	by := op.Operand(1)
	switch {
	case x.step.none() && y.step.none():
		// An invariant multiplication may be in the loop: licm leaves it there if registers are few.
		return combined(op, step{}, x, y), true
	case x.step.none():
		x, y, by = y, x, op.Operand(0)
	}
	s, ok := x.step.scaled(by)
	return combined(op, s, x, y), ok && y.step.none() && !c.inside(by)
}

// combined returns the evolution of an operation on two values, given its step.
func combined(op ir.Op, s step, x, y evolution) evolution {
	exact := x.exact && y.exact && arith.Promises(op).Signed
	positive := exact && x.positive && y.positive
	return evolution{s, exact, positive || x.natural && y.natural && arith.Promises(op).Unsigned, positive}
}

// same reports whether the offset of an address is as wide as the address. Then sums of offsets are sums of
// addresses.
func same(op ir.Op) bool {
	return !op.Is(nvvm.PtrAdd) || wide(op.Result(0).Type()) == (ir.BitWidth(op.Operand(1).Type()) == 64)
}

// wide reports whether a type is an address of 64 bits.
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
