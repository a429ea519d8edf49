package looptofor

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// raise replaces the loop by a for, or by a loop around one. The body is copied, and the loop stays unchanged
// until all is created.
func (c *counted) raise() {
	b := ir.BuilderBefore(c.loop)
	b.SetLocOf(c.loop)
	var result func(i int) ir.Value
	if c.wraps {
		result = c.around(b).Result
	} else {
		after, _ := c.counting(b, c.loop.Operands())
		result = func(i int) ir.Value { return after.value(b, c.brk.Operand(i)) }
	}
	for i, r := range c.loop.Results() {
		if r.HasUses() {
			c.replaced[r] = result(i)
			r.ReplaceAllUsesWith(c.replaced[r])
		}
	}
	c.loop.Erase()
}

// around rebuilds the loop, with a for in it.
func (c *counted) around(b *ir.Builder) ir.Op {
	args := c.loop.Body().Args()
	st := b.NewState(cudatile.Loop, b.Loc)
	st.OperandGroups(c.loop.Operands())
	st.Types = c.loop.ResultTypes()
	var types []ir.Type
	for _, a := range args {
		types = append(types, a.Type())
	}
	body := st.AddRegion().AddBlock(types...)
	loop := b.Insert(st)
	for i, a := range args {
		body.Arg(i).SetName(a.Name())
	}
	for i, r := range c.loop.Results() {
		loop.Result(i).SetName(r.Name())
	}
	b.SetInsertionPointToEnd(body)
	after, upper := c.counting(b, body.Args())
	st = b.NewState(cudatile.If, b.Loc)
	st.Operands = []ir.Value{after.goesOn(b, upper)}
	values := after.values(b, c.brk.Operands()) // before the if, where the loop has most of them too
	on, out := st.AddRegion().AddBlock(), st.AddRegion().AddBlock()
	b.Insert(st)
	b.SetInsertionPointToEnd(on)
	b.Create(cudatile.Yield, nil, nil)
	b.SetInsertionPointToEnd(out)
	b.Create(cudatile.Break, values, nil)
	b.SetInsertionPointToEnd(body)
	b.Create(cudatile.Continue, after.values(b, args), nil)
	return loop
}

// counting creates the for, which begins with these values. It returns the iteration that would come after it,
// and the bound.
func (c *counted) counting(b *ir.Builder, inits []ir.Value) (after *iteration, upper ir.Value) {
	t := inits[c.slot].Type().(*cudatile.TileType)
	first := newIteration(c, inits)
	lower := inits[c.slot]
	upper = first.upper(b, t)
	if c.falls {
		lower = complement(b, t, lower)
	}
	var step ir.Value
	if c.size > 0 {
		step = cudatile.NewSplat(b, t, c.size)
	} else {
		step = first.value(b, c.step)
	}
	// The for has a counter of its own. It carries the old one only if something after the loop needs it.
	counter := c.wraps || c.leavesWithCounter()
	carried := slices.Clone(inits)
	if !counter {
		carried = slices.Delete(carried, c.slot, c.slot+1)
	}
	loop := cudatile.NewFor(b, lower, upper, step, carried)
	if c.unsigned {
		loop.SetAttr("unsignedCmp", b.Context().Unit())
	}
	loop.SetDiscardableAttrs(c.loop.DiscardableAttrs())
	c.fill(loop, t, counter)
	results := loop.Results()
	if !counter {
		results = slices.Insert(results, c.slot, ir.Value{}) // which nothing asks for
	}
	return newIteration(c, results), upper
}

// fill copies the body of the loop to the for.
func (c *counted) fill(loop ir.Op, t *cudatile.TileType, counter bool) {
	b := ir.BuilderAtEnd(loop.Body())
	b.SetLocOf(c.loop)
	m := ir.NewMapping()
	at := 1
	for i, a := range c.loop.Body().Args() {
		if i != c.slot || counter {
			loop.Body().Arg(at).SetName(a.Name())
			m.Values[a] = loop.Body().Arg(at)
			at++
		}
	}
	old, v := c.loop.Body().Arg(c.slot), loop.Body().Arg(0)
	v.SetName(old.Name())
	if m.Values[old] = v; c.falls {
		m.Values[old] = complement(b, t, v)
	}
	var head []ir.Op
	inHead := true
	for op := range c.loop.Body().Ops() {
		if op == c.exit {
			inHead = false
			continue
		}
		if op = b.Clone(op, m); inHead {
			head = append(head, op)
		}
	}
	// The remains of the condition would look like a branch that depends on the counter.
	for _, op := range slices.Backward(head) {
		if !usedAtAll(op) && ir.HasNoEffects(op) {
			op.Erase()
		}
	}
	if counter {
		return
	}
	loop.Walk(func(op ir.Op) ir.WalkResult {
		if op.Is(cudatile.Continue) && ir.ExitTarget(op) == loop {
			op.SetOperands(slices.Delete(op.Operands(), c.slot, c.slot+1))
		}
		return ir.Advance
	})
}

// leavesWithCounter reports whether a used result of the loop depends on the counter.
func (c *counted) leavesWithCounter() bool {
	counter := c.loop.Body().Arg(c.slot)
	seen := make(map[ir.Value]bool)
	var rests func(v ir.Value) bool
	rests = func(v ir.Value) bool {
		if v == counter {
			return true
		}
		if op := v.DefiningOp(); !seen[v] && !op.IsNil() && c.within(op.Block()) {
			seen[v] = true
			return slices.ContainsFunc(inputs(op), rests)
		}
		return false
	}
	for i, v := range c.brk.Operands() {
		if c.loop.Result(i).HasUses() && rests(v) {
			return true
		}
	}
	return false
}

func usedAtAll(op ir.Op) bool {
	return slices.ContainsFunc(op.Results(), ir.Value.HasUses)
}

// complement creates -1 - v, which reverses the order of numbers, signed and unsigned.
func complement(b *ir.Builder, t *cudatile.TileType, v ir.Value) ir.Value {
	return b.Create(cudatile.XorI, []ir.Value{v, cudatile.NewSplat(b, t, ^uint64(0))}, []ir.Type{t}).Result(0)
}
