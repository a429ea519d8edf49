package reducestrength

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

const (
	// least is how many operations, extensions apart, an address must take in each iteration to be stepped instead: base + counter * size is one instruction with the product in it (mad.wide), and a step
	// of 64 bits is one or two.
	least = 4
	// mostOps and mostAddresses bound the work for one address, and the addresses of one loop, each of which takes two registers.
	mostOps, mostAddresses = 64, 32
)

// stepAddresses makes the loop carry addresses, and returns how many.
func (c *carrier) stepAddresses(budget int) int {
	e := c.evolutions()
	if len(e) == 0 {
		return 0
	}
	n := c.stepRoots(e)
	if n > 0 {
		sweep(c.loop.Own)
	}
	beside := c.besides(e)
	if len(beside) == 0 || len(beside) > mostAddresses || c.pressure()+c.taken(beside) > budget || !c.may("step-addresses-beside", beside[0]) {
		return n
	}
	for _, op := range beside {
		c.step(op, e[op.Result(0)].step)
	}
	sweep(c.loop.Own)
	return n + len(beside)
}

// stepRoots steps the addresses whose distance to anything else that is carried changes.
func (c *carrier) stepRoots(e map[ir.Value]evolution) (n int) {
	var roots []ir.Op
	for _, b := range c.loop.Own {
		for op := range b.Ops() {
			if op.Is(nvvm.PtrAdd) && wide(op.Result(0).Type()) && !e[op.Result(0)].step.none() && !e[op.Operand(1)].step.none() && c.staysInside(op) {
				roots = append(roots, c.end(op, e))
			}
		}
	}
	if len(roots) > mostAddresses {
		return 0
	}
	for _, op := range roots {
		if made := c.slice(op); cost(made) >= least && len(made) <= mostOps && c.may("step-address", op) {
			arg := c.step(op, e[op.Result(0)].step)
			e[arg] = evolution{step: e[op.Result(0)].step}
			n++
		}
	}
	return n
}

// end follows an address to the last one that nothing but it and what does not change goes into; that may be computed in the loop, where licm leaves it when registers are few.
func (c *carrier) end(op ir.Op, e map[ir.Value]evolution) ir.Op {
	changes := func(v ir.Value) bool {
		x, known := e[v]
		return c.inside(v) && !(known && x.step.none())
	}
	for op.Result(0).HasOneUse() {
		user := op.Result(0).FirstUse().Owner()
		if !user.Is(nvvm.PtrAdd) || user.Operand(0) != op.Result(0) || changes(user.Operand(1)) || e[user.Result(0)].step.none() || !c.staysInside(user) {
			break
		}
		op = user
	}
	return op
}

// besides returns the addresses at a fixed distance from one that steps, where the distance is no constant: that would be part of the access. One that only others of them use comes with these.
func (c *carrier) besides(e map[ir.Value]evolution) (out []ir.Op) {
	for _, b := range c.loop.Own {
		for op := range b.Ops() {
			if !op.Is(nvvm.PtrAdd) || !wide(op.Result(0).Type()) || c.inside(op.Operand(1)) || !c.staysInside(op) || slices.Contains(c.latch.Operands(), op.Result(0)) {
				continue // a step itself is carried already
			}
			from, ok := e[op.Operand(0)]
			if _, fixed := constant(op.Operand(1)); ok && !fixed && !from.step.none() {
				e[op.Result(0)] = evolution{step: from.step}
				out = append(out, op)
			}
		}
	}
	return out
}

// taken returns how many registers it takes to carry addresses rather than the distances between them.
func (c *carrier) taken(beside []ir.Op) (registers int) {
	among := make(map[ir.Op]bool)
	for _, op := range beside {
		among[op] = true
	}
	freed := make(map[ir.Value]bool)
	for _, op := range beside {
		registers += width(op.Result(0).Type())
		d := op.Operand(1)
		freed[d] = true
		for u := range d.Uses() {
			if !among[u.Owner()] && c.nest.Contains(c.loop, u.Owner().Block()) {
				delete(freed, d)
				break
			}
		}
	}
	for d := range freed {
		registers -= width(d.Type())
	}
	return registers
}

// staysInside reports whether only the loop uses the result of one of its operations: behind the loop, what is carried is one step further.
func (c *carrier) staysInside(op ir.Op) bool {
	for u := range op.Result(0).Uses() {
		if !c.nest.Contains(c.loop, u.Owner().Block()) {
			return false
		}
	}
	return true
}

// slice returns the operations of the loop that a result is computed by, from the last to the first.
func (c *carrier) slice(op ir.Op) (out []ir.Op) {
	seen := map[ir.Op]bool{op: true}
	for out = append(out, op); len(out) <= mostOps; {
		n := len(out)
		for _, o := range out {
			for i := range o.NumOperands() {
				if def := o.Operand(i).DefiningOp(); !def.IsNil() && c.inside(o.Operand(i)) && !seen[def] {
					seen[def] = true
					out = append(out, def)
				}
			}
		}
		if len(out) == n {
			break
		}
	}
	return out
}

// cost returns how many instructions operations are at least.
func cost(ops []ir.Op) (n int) {
	for _, op := range ops {
		if !op.Is(arith.ExtSI) && !op.Is(arith.ExtUI) {
			n++
		}
	}
	return n
}

// step makes the loop carry the result of one of its operations, which it does not compute any more, and returns what takes its place.
func (c *carrier) step(op ir.Op, by step) ir.Value {
	first := c.first(op)
	arg := c.loop.Header.AddArg(first.Type())
	b := ir.BuilderBefore(c.latch)
	b.SetLocOf(op)
	next := b.Create(nvvm.PtrAdd, []ir.Value{arg, c.amount(by)}, []ir.Type{first.Type()}).Result(0)
	c.entry.SetOperands(append(c.entry.Operands(), first))
	c.latch.SetOperands(append(c.latch.Operands(), next))
	op.Result(0).ReplaceAllUsesWith(arg)
	return arg
}

// amount returns a step as a value that is made in front of the loop, once for all that take it.
func (c *carrier) amount(by step) ir.Value {
	// One product by a constant: ptxas takes a step that is one of a 32-bit number into the addition (IMAD.WIDE), and needs three instructions for a product of a product.
	for !by.times.IsNil() {
		n, product := factor(by.times.DefiningOp())
		if !product {
			break
		}
		by = step{by.times.DefiningOp().Operand(0), by.factor * n}
	}
	if v, ok := c.amounts[by]; ok {
		return v
	}
	b := ir.BuilderBefore(c.entry)
	i64 := b.Context().Int(64)
	v := by.times
	if v.IsNil() {
		v = arith.NewInt(b, i64, by.factor)
	} else if by.factor != 1 {
		v = b.Create(arith.MulI, []ir.Value{v, arith.NewInt(b, i64, by.factor)}, []ir.Type{i64}).Result(0)
	}
	c.amounts[by] = v
	return v
}

// first computes, in front of the loop, what the result of an operation is in the first iteration.
func (c *carrier) first(op ir.Op) ir.Value {
	m := ir.NewMapping()
	for i, arg := range c.loop.Header.Args() {
		m.Values[arg] = c.entry.Operand(i)
	}
	needed := make(map[ir.Op]bool)
	for _, o := range c.slice(op) {
		needed[o] = true
	}
	b := ir.BuilderBefore(c.entry)
	for _, blk := range c.loop.Own {
		for o := range blk.Ops() {
			if needed[o] {
				b.Clone(o, m)
			}
		}
	}
	return m.Lookup(op.Result(0))
}
