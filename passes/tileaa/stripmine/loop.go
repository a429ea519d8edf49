package stripmine

import (
	"maps"

	"github.com/tilewright/tilewright/dialects/tileaa/strip"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/analysis/tokens"
)

// A carrier is a counted loop of the program that carries tensors and writes no memory. It is split by splitting its
// body: each part runs all iterations, on its part of what is carried.
type carrier struct {
	describe ir.Loop
	body     *chain
	ids      []int // the class in the body for each axis
}

// carrier returns what is known of a loop; nil if it cannot be split.
func (m *miner) carrier(op ir.Op) *carrier {
	if l, ok := m.carriers[op]; ok {
		return l
	}
	// The answer for all early returns below.
	m.carriers[op] = nil
	describe, ok := ir.LoopLike.Of(op)
	if !ok {
		return nil
	}
	l := describe(op)
	if l.NumIterArgs == 0 || l.IndVar.IsNil() || !l.Body.HasOneBlock() || ir.MayWrite(op) || op.NumResults() != l.NumIterArgs {
		return nil
	}
	b := l.Body.First()
	if end := b.Last(); ir.ExitTarget(end) != op || end.NumOperands() != l.NumIterArgs {
		return nil
	}
	body := &chain{miner: m, block: b, loop: op, describe: l, member: make(map[ir.Op]bool)}
	for inner := range b.Ops() {
		if _, ok := m.tensorsOf(inner); ok {
			body.ops = append(body.ops, inner)
			body.member[inner] = true
		}
	}
	// The body's classes become the loop's axes.
	body.classify()
	m.carriers[op] = &carrier{describe: l, body: body}
	return m.carriers[op]
}

// terminator returns the end of the loop that the chain is the body of.
func (c *chain) terminator() ir.Op {
	if c.loop.IsNil() {
		return ir.Op{}
	}
	return c.block.Last()
}

// carried returns the loop-carried value with a number, as the body sees it.
func (c *chain) carried(i int) ir.Value { return c.describe.IterArg(i) }

// axesIn returns the axes of an operation in the chain: those of the terminator of the chain's loop are the
// dimensions of what it carries.
func (c *chain) axesIn(op ir.Op) (axes []strip.Axis) {
	if op != c.terminator() {
		return c.axesOf(op)
	}
	for i, v := range op.Operands() {
		if t, ok := v.Type().(*ir.TensorType); ok {
			for d := range t.Shape {
				axes = append(axes, strip.Axis{Dims: []strip.Dim{{Index: i, Dim: d}}})
			}
		}
	}
	return axes
}

// loopAxes returns the axes of a loop: the classes of its body that split what it carries and that nothing reduces
// along.
func (m *miner) loopAxes(op ir.Op) (axes []strip.Axis) {
	l := m.carrier(op)
	if l == nil {
		return nil
	}
	l.ids = nil
	for _, info := range l.body.list {
		// A reduction inside an iteration needs all parts of what it reduces, while each part runs all iterations
		// by itself.
		if !info.culprit.IsNil() || info.ordered {
			continue
		}
		var a strip.Axis
		for i := range l.describe.NumIterArgs {
			v := l.describe.IterArg(i)
			t, ok := v.Type().(*ir.TensorType)
			if !ok {
				continue
			}
			for d := range t.Shape {
				if n, ok := l.body.at[place{v, d}]; ok && l.body.find(n) == info.id {
					a.Dims = append(a.Dims, strip.Dim{Index: l.describe.FirstInit + i, Dim: d}, strip.Dim{Result: true, Index: i, Dim: d})
				}
			}
		}
		if len(a.Dims) > 0 {
			axes = append(axes, a)
			l.ids = append(l.ids, info.id)
		}
	}
	return axes
}

// usedInside returns the dimensions of tensors from outside of a loop that an axis of it splits: these are no
// operands of the loop.
func (c *chain) usedInside(op ir.Op, axis int) (places []place) {
	l := c.carriers[op]
	if l == nil {
		return nil
	}
	for _, p := range l.body.places {
		if p.v.Block() != l.body.block && l.body.find(l.body.at[p]) == l.ids[axis] {
			places = append(places, p)
		}
	}
	return places
}

// loopPart makes the loop for a part of what it carries.
func (in *body) loopPart(op ir.Op, axis int, operands []ir.Value) []ir.Value {
	l := in.carrier(op)
	st := in.NewState(op.Def(), nil)
	st.Operands = operands
	st.Types = typesOf(operands[l.describe.FirstInit:])
	st.Attrs = append(op.InherentAttrs(), op.DiscardableAttrs().Entries...)
	block := st.AddRegion().AddBlock(append([]ir.Type{l.describe.IndVar.Type()}, st.Types...)...)
	loop := in.Insert(st)

	// The body is filled like that of a phase, but without sinks: each operation in it is copied, split or not.
	id := l.ids[axis]
	to := &body{emitter: &emitter{plan: &plan{chain: l.body, id: id}, parts: in.parts}, Builder: ir.BuilderAtEnd(block), number: in.number, first: in.first,
		whole: maps.Clone(in.whole), cut: maps.Clone(in.cut), free: make(map[freePart]ir.Value)}
	to.SetLocOf(op)
	for i, v := range l.body.block.Args() {
		to.whole[v] = block.Arg(i)
		if n := i - l.describe.FirstIterArg; n >= 0 && strip.Axis.Dim(in.axes[op][axis], true, n) >= 0 {
			delete(to.whole, v)
			to.cut[v] = block.Arg(i)
		}
	}
	for inner := range l.body.block.Ops() {
		to.SetLocOf(inner)
		to.inLoop(inner)
	}
	for o := block.Last().Prev(); !o.IsNil(); { // what was copied unsplit and is not used
		prev := o.Prev()
		if ir.IsTriviallyDead(o) {
			o.Erase()
		}
		o = prev
	}
	return loop.Results()
}

// inLoop copies an operation of the body of a loop: its part if the class splits it, else unchanged.
func (in *body) inLoop(op ir.Op) {
	if op == in.terminator() {
		operands := op.Operands()
		for i, v := range operands {
			operands[i] = in.carriedOn(op, i, v)
		}
		in.Create(op.Def(), operands, nil)
		return
	}
	axis, k, cut := in.axisOf(op)
	if !in.member[op] || !cut {
		m := ir.NewMapping()
		maps.Copy(m.Values, in.whole)
		copied := in.Clone(op, m)
		for i, v := range op.Results() {
			in.whole[v] = copied.Result(i)
		}
		return
	}
	results := in.make(op, axis, k)
	for i, v := range op.Results() {
		if axis.Dim(true, i) >= 0 {
			in.cut[v] = results[i]
		} else {
			in.whole[v] = results[i]
		}
	}
}

// carriedOn returns what the terminator passes on instead of an operand: its part if the loop carries that.
func (in *body) carriedOn(op ir.Op, i int, v ir.Value) ir.Value {
	for k, a := range in.axes[op] {
		if d := a.Dim(false, i); d >= 0 && in.find(in.nodes[node{op, k}]) == in.id {
			return in.part(v, d)
		}
	}
	return in.uncut(v)
}

// uncut returns what replaces a value that is not split.
func (in *body) uncut(v ir.Value) ir.Value {
	if w, ok := in.whole[v]; ok {
		return w
	}
	return v
}

// readsByTokens reports whether all that an operation does to memory is to load, by accesses that take tokens, which
// then say its order.
func readsByTokens(op ir.Op) bool {
	if tokens.Access(op) {
		return true
	}
	only := op.NumRegions() > 0 && !ir.MayWrite(op)
	op.Walk(func(inner ir.Op) ir.WalkResult {
		only = only && (inner.NumRegions() > 0 || ir.HasNoEffects(inner) || tokens.Access(inner))
		return ir.Advance
	})
	return only
}
