package reducestrength

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

const (
	// least is how many operations, extensions excluded, an address must take in each iteration to be stepped
	// instead. The sum of a base and a multiplied counter is one instruction (mad.wide), and a step of 64 bits is
	// one or two.
	least = 4
	// mostOps and mostAddresses bound the work for one address, and the addresses of one loop, each of which takes
	// two registers.
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
	others := c.neighbors(e)
	// Roots save arithmetic in each iteration. Neighbors save little, so they are stepped only if registers are
	// free.
	if len(others) == 0 || len(others) > mostAddresses || c.pressure()+c.taken(others) > budget || !c.may("step-addresses-neighbors", others[0]) {
		return n
	}
	for _, op := range others {
		c.step(op, e[op.Result(0)].step)
	}
	sweep(c.loop.Own)
	return n + len(others)
}

// stepRoots steps the addresses whose offset from any other carried address changes.
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

// end follows an address to the last one that is computed from it alone and from invariant values. Invariant
// operations may be in the loop, where licm leaves them if registers are few.
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

// neighbors returns the addresses at a fixed distance from one that steps. A constant distance does not count: it
// would be part of the access. An address used only by others of them is included too.
func (c *carrier) neighbors(e map[ir.Value]evolution) (out []ir.Op) {
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

// taken returns how many registers it costs to carry the addresses, less the distances that are then unused.
func (c *carrier) taken(others []ir.Op) (registers int) {
	among := make(map[ir.Op]bool)
	for _, op := range others {
		among[op] = true
	}
	freed := make(map[ir.Value]bool)
	for _, op := range others {
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

// staysInside reports whether only the loop uses the result of one of its operations. After the loop, the carried
// value is one step further.
func (c *carrier) staysInside(op ir.Op) bool {
	for u := range op.Result(0).Uses() {
		if !c.nest.Contains(c.loop, u.Owner().Block()) {
			return false
		}
	}
	return true
}

// slice returns the operations of the loop from which a result is computed, from the last to the first.
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

// cost returns how many instructions the operations are at least.
func cost(ops []ir.Op) (n int) {
	for _, op := range ops {
		if !op.Is(arith.ExtSI) && !op.Is(arith.ExtUI) {
			n++
		}
	}
	return n
}

// step makes the loop carry the result of one of its operations, and returns the argument that replaces it.
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

// amount returns a step as a value that is computed before the loop, once for all that add it.
func (c *carrier) amount(by step) ir.Value {
	// One multiplication by a constant: ptxas merges a step that is one of a 32-bit number into the addition
	// (IMAD.WIDE), and needs three instructions for a chain of two.
	for !by.times.IsNil() {
		n, product := factor(by.times.DefiningOp())
		if !product {
			break
		}
		by = step{by.times.DefiningOp().Operand(0), by.factor * n}
	}
	// Several addresses with one stride, such as those of a tile's rows, add the same value.
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

// first computes, before the loop, what the result of an operation is in the first iteration.
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
	// In program order, since the slice is in the order of uses.
	for _, blk := range c.loop.Own {
		for o := range blk.Ops() {
			if needed[o] {
				b.Clone(o, m)
			}
		}
	}
	return m.Lookup(op.Result(0))
}
