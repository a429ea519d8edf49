package looptofor

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
)

// An iteration rematerializes what the head of the loop computes, for given values of the loop-carried values.
type iteration struct {
	c    *counted
	args []ir.Value
	made map[ir.Value]ir.Value
}

func newIteration(c *counted, args []ir.Value) *iteration {
	return &iteration{c, args, make(map[ir.Value]ir.Value)}
}

func (it *iteration) value(b *ir.Builder, v ir.Value) ir.Value {
	// Inner loops are replaced first, and the results of this loop may refer to theirs.
	for w, gone := it.c.replaced[v]; gone; w, gone = it.c.replaced[v] {
		v = w
	}
	if !it.c.within(v.Block()) {
		return v
	}
	if v.IsBlockArg() {
		return it.args[v.Index()]
	}
	if w, ok := it.made[v]; ok {
		return w
	}
	op, m := v.DefiningOp(), ir.NewMapping()
	for _, u := range inputs(op) {
		m.Values[u] = it.value(b, u)
	}
	for i, r := range b.Clone(op, m).Results() {
		it.made[op.Result(i)] = r
	}
	return it.made[v]
}

func (it *iteration) values(b *ir.Builder, vs []ir.Value) (out []ir.Value) {
	for _, v := range vs {
		out = append(out, it.value(b, v))
	}
	return out
}

// inputs returns the values that an operation takes from outside, itself or inside.
func inputs(op ir.Op) (out []ir.Value) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		for _, v := range inner.Operands() {
			if def := v.DefiningOp(); def.IsNil() && !op.IsAncestorOf(v.Block().ParentOp()) || !def.IsNil() && (def == op || !op.IsAncestorOf(def)) {
				out = append(out, v)
			}
		}
		return ir.Advance
	})
	return out
}

// upper creates the bound of the for: the least of the limits, or the first number if a guard does not hold.
func (it *iteration) upper(b *ir.Builder, t *cudatile.TileType) (upper ir.Value) {
	c := it.c
	for _, l := range c.limits {
		v := it.value(b, l.bound)
		if c.falls {
			v = complement(b, t, v)
		}
		if l.through {
			v = b.Create(cudatile.AddI, []ir.Value{v, cudatile.NewSplat(b, t, 1)}, []ir.Type{t}).Result(0)
		}
		if !upper.IsNil() {
			v = b.Create(cudatile.MinI, []ir.Value{upper, v}, []ir.Type{t}, c.signedness(b)).Result(0)
		}
		upper = v
	}
	var holds ir.Value
	for _, g := range c.guards {
		v := it.guard(b, g)
		if !holds.IsNil() {
			v = b.Create(cudatile.AndI, []ir.Value{holds, v}, []ir.Type{v.Type()}).Result(0)
		}
		holds = v
	}
	if holds.IsNil() {
		return upper
	}
	lower := it.args[c.slot]
	if c.falls {
		lower = complement(b, t, lower)
	}
	return b.Create(cudatile.Select, []ir.Value{holds, upper, lower}, []ir.Type{t}).Result(0)
}

// guard makes the condition of a guard.
func (it *iteration) guard(b *ir.Builder, g guard) ir.Value {
	if !g.value.IsNil() {
		v := it.value(b, g.value)
		if !g.is {
			v = b.Create(cudatile.XorI, []ir.Value{v, cudatile.NewSplat(b, v.Type().(*cudatile.TileType), 1)}, []ir.Type{v.Type()}).Result(0)
		}
		return v
	}
	return it.c.compare(b, g.predicate, it.args[it.c.slot], it.value(b, g.bound))
}

// goesOn creates the condition of an iteration after a for with a bound. If a guard did not hold before the for,
// the for ran no iteration, and its bound is where it began. Invariant guards need not be tested again.
func (it *iteration) goesOn(b *ir.Builder, upper ir.Value) ir.Value {
	c := it.c
	v := it.args[c.slot]
	if c.falls {
		v = complement(b, v.Type().(*cudatile.TileType), v)
	}
	on := c.compare(b, cudatile.LessThan, v, upper)
	for _, g := range c.guards {
		if g.value.IsNil() {
			on = b.Create(cudatile.AndI, []ir.Value{on, it.guard(b, g)}, []ir.Type{on.Type()}).Result(0)
		}
	}
	return on
}

func (c *counted) compare(b *ir.Builder, p cudatile.ComparisonPredicate, x, y ir.Value) ir.Value {
	bit := cudatile.Scalar(b.Context(), b.Context().Int(1))
	return b.Create(cudatile.CmpI, []ir.Value{x, y}, []ir.Type{bit}, ir.NamedAttr{Name: "comparison_predicate", Value: p.Attr(b.Context())}, c.signedness(b)).Result(0)
}

func (c *counted) signedness(b *ir.Builder) ir.NamedAttr {
	s := cudatile.Signed
	if c.unsigned {
		s = cudatile.Unsigned
	}
	return ir.NamedAttr{Name: "signedness", Value: s.Attr(b.Context())}
}
