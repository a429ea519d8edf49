package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/contract"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// A late product is the second one of a carry, started an iteration later, behind the first of that iteration:
//
//	for { S = dot_async Q, K ; dot_wait S ; ... P = exp(S) ; T = O * scale ; O' = dot_async P, V, T ; dot_wait O' }
//
// becomes
//
//	if there is an iteration {
//	  S = dot_async Q, K ; dot_wait S ; ... P = exp(S) ; T = O * scale
//	  for the others { S = dot_async Q, K ; O = dot_async P, V, T ; dot_wait {pending = 1} S ; ... P' = exp(S) ; dot_wait O ; T' = O * scale }
//	  O' = dot_async P, V, T ; dot_wait O'
//	}
//
// The arithmetic of an iteration stands beside P V of the one before in the same group of warps (FlashAttention 3, section 3.2), and groups can take turns with both products (3.1). It needs no more registers than a carry
// that is handed on does, for which P, O and S are there at the same time too, but they are so throughout the arithmetic and not for the length of the products only.
type late struct {
	// after are the operations that rest on the sum, which come behind the wait for it, in the order of the text.
	after map[ir.Op]bool
}

// lateOf reports whether the second product of a carry can be late: its factor, and what the iteration does beside it, must not rest on the sum, and what does must have no effects, since it moves.
func (c *carry) lateOf() *late {
	body := c.loop.Body()
	l := &late{after: make(map[ir.Op]bool)}
	rests := func(op ir.Op) bool {
		return slices.ContainsFunc(inputs(op), func(v ir.Value) bool {
			return v == body.Arg(1+c.index) || !v.DefiningOp().IsNil() && l.after[v.DefiningOp()]
		})
	}
	for op := range body.Ops() {
		switch {
		case op == c.second || op == c.dropped || op.HasTrait(ir.Terminator) || !rests(op):
		case !ir.IsPure(op):
			return nil
		default:
			l.after[op] = true
		}
	}
	factor, start := c.second.Operand(0).DefiningOp(), c.second.Operand(2)
	if factor.IsNil() || factor.Block() != body || l.after[factor] {
		return nil
	}
	if start != body.Arg(1+c.index) && (start.DefiningOp().IsNil() || !l.after[start.DefiningOp()]) {
		return nil
	}
	return l
}

// spareRegs are those of a thread beside P, O and S: addresses, the maximum and sum of rows, and temporaries of the arithmetic. FlashAttention 3 leaves itself 44 of 240 with 176 keys.
const spareRegs = 56

// lateFits reports whether a thread has the registers for what is live at once.
func (p *plan) lateFits(c *carry) bool {
	have := p.arch.RegistersPerThread(p.warps+p.single(), max(1, contract.KernelSpecOf(p.fn).Occupancy))
	if p.regs != nil {
		have = int(p.regs[0])
	}
	need := spareRegs
	for _, v := range []ir.Value{c.first.Result(0), c.second.Result(0), c.second.Operand(0)} {
		if t, ok := v.Type().(*ir.TensorType); ok {
			need += int(t.NumElements()) * ir.BitWidth(t.Elem) / 32 / (p.warps * 32)
		}
	}
	return need <= have
}

// lateLoop makes the loop of a late product anew.
func (w *writer) lateLoop(op ir.Op, c *carry) {
	kept, rings := w.carried(op), w.ringsIn(op)
	bounds, body := w.values(op.Operands()[:scf.NumBounds]), op.Body()
	before := w.statesOf(rings)
	var inits []ir.Value
	var types []ir.Type
	for _, i := range kept {
		inits, types = append(inits, w.m.Lookup(op.Operand(scf.NumBounds+i))), append(types, op.Result(i).Type())
	}
	for _, v := range before {
		types = append(types, v.Type())
	}
	guard := scf.CreateIf(w.b, w.runs(op), types)
	around := w.b
	w.b = ir.BuilderAtEnd(guard.Region(1).First())
	w.b.Loc = op.Loc()
	w.b.Create(scf.Yield, slices.Concat(inits, before), nil)

	w.b = ir.BuilderAtEnd(guard.Region(0).First())
	w.b.Loc = op.Loc()
	first := bounds[0]
	w.m.Values[body.Arg(0)] = first
	for k, i := range kept {
		w.m.Values[body.Arg(1+i)] = inits[k]
	}
	w.lateIteration(c, nil)
	second := w.b.Create(arith.AddI, []ir.Value{first, bounds[2]}, []ir.Type{first.Type()}).Result(0)
	handed := w.handed(c, kept)
	loop := scf.CreateFor(w.b, second, bounds[1], bounds[2], slices.Concat(handed, w.statesOf(rings)), op.InherentAttrs()...)
	loop.SetDiscardableAttrs(op.DiscardableAttrs())
	in := w.b
	w.b = ir.BuilderAtEnd(loop.Body())
	w.b.Loc = op.Loc()
	args := loop.Body().Args()[1:]
	w.take(rings, args[len(handed):])
	w.m.Values[body.Arg(0)] = loop.Body().Arg(0)
	w.lateIteration(c, w.takeHanded(c, kept, args))
	w.b.Loc = body.Last().Loc()
	w.b.Create(scf.Continue, slices.Concat(w.handed(c, kept), w.statesOf(rings)), nil)

	w.b = in
	w.b.Loc = op.Loc()
	w.take(rings, loop.Results()[len(handed):])
	operands := w.takeHanded(c, kept, loop.Results())
	w.awaitLate(c)
	w.takeTurn()
	sum := w.startLate(c, operands)
	w.pass()
	sum = w.finished(0, sum)[0]
	w.freeLate(c)
	var yields []ir.Value
	for k, i := range kept {
		if i == c.index {
			yields = append(yields, sum)
		} else {
			yields = append(yields, loop.Result(k))
		}
	}
	w.b.Create(scf.Yield, slices.Concat(yields, w.statesOf(rings)), nil)
	w.b = around
	for k, i := range kept {
		w.m.Values[op.Result(i)] = guard.Result(k)
	}
	w.take(rings, guard.Results()[len(kept):])
}

// handed returns what an iteration hands to the next: what the loop carries, where the sum is what the late product starts from, and its factor behind.
func (w *writer) handed(c *carry, kept []int) (out []ir.Value) {
	end := c.loop.Body().Last()
	for _, i := range kept {
		v := end.Operand(i)
		if i == c.index {
			v = c.second.Operand(2)
		}
		out = append(out, w.m.Lookup(v))
	}
	return append(out, w.m.Lookup(c.second.Operand(0)))
}

// takeHanded takes what an iteration hands on as what this one begins with, and returns the factor and the start of the late product.
func (w *writer) takeHanded(c *carry, kept []int, from []ir.Value) (operands []ir.Value) {
	var start ir.Value
	for k, i := range kept {
		w.m.Values[c.loop.Body().Arg(1+i)] = from[k]
		if i == c.index {
			start = from[k]
		}
	}
	return []ir.Value{from[len(kept)], start}
}

// lateIteration makes an iteration, with the product of the one before, of which the operands are given; nil: there is none before.
func (w *writer) lateIteration(c *carry, operands []ir.Value) {
	body := c.loop.Body()
	carried := body.Arg(1 + c.index)
	before, after, skip, hidden := w.before, w.after, w.skip, w.hidden
	var product ir.Value
	w.before = func(op ir.Op) {
		if op != c.first {
			return
		}
		if operands != nil {
			w.awaitLate(c)
		}
		w.takeTurn()
	}
	w.after = func(op ir.Op) {
		if op != c.first {
			return
		}
		if operands != nil {
			product = w.startLate(c, operands)
		}
		w.pass()
	}
	w.skip = func(op ir.Op) {
		switch op {
		case c.at:
			pending := 0
			if operands != nil {
				pending = 1
			}
			w.m.Values[op.Result(0)] = w.finished(pending, w.m.Lookup(c.first.Result(0)))[0]
		case c.second, c.dropped:
		default:
			skip(op)
		}
	}
	w.hidden = func(op ir.Op) bool { return c.late.after[op] || tileas.IsView(op) && w.readLate(c, op) }
	w.block(body)
	w.before, w.after, w.skip, w.hidden = before, after, skip, hidden
	if operands != nil {
		w.m.Values[carried] = w.finished(0, product)[0]
		w.freeLate(c)
	}
	for op := range body.Ops() {
		if c.late.after[op] && w.keeps.live[op] {
			w.b.Loc = op.Loc()
			w.b.Clone(op, w.m)
		}
	}
}

// awaitLate waits for what the late product reads, in front of the turn, which others wait for: the slots that its ring comes to.
func (w *writer) awaitLate(c *carry) {
	for _, g := range w.lateGroups(c) {
		w.open(g)
		w.await(g)
	}
}

// startLate starts the late product, of an earlier iteration's factor and start.
func (w *writer) startLate(c *carry, operands []ir.Value) ir.Value {
	loc := w.b.Loc
	w.b.Loc = c.second.Loc()
	for _, g := range w.lateGroups(c) {
		for _, copied := range g.copies {
			w.views(copied.alloc.Result(0))
		}
	}
	w.m.Values[c.second.Operand(0)], w.m.Values[c.second.Operand(2)] = operands[0], operands[1]
	product := w.b.Clone(c.second, w.m).Result(0)
	w.b.Loc = loc
	return product
}

// readLate reports whether a view is of what the late product reads, which has its slots when it starts.
func (w *writer) readLate(c *carry, view ir.Op) bool {
	root := rootOf(view.Result(0))
	return slices.ContainsFunc(w.lateGroups(c), func(g *group) bool {
		return slices.ContainsFunc(g.copies, func(copied *tensorCopy) bool { return copied.alloc == root })
	})
}

// views makes the views of a buffer anew through which a late product reads it.
func (w *writer) views(v ir.Value) {
	for u := range v.Uses() {
		if op := u.Owner(); tileas.IsView(op) {
			w.b.Clone(op, w.m)
			w.views(op.Result(0))
		}
	}
}

// freeLate frees what a late product has read.
func (w *writer) freeLate(c *carry) {
	for _, g := range w.lateGroups(c) {
		w.free(g)
		w.states[g.ring] = w.next(g.ring, w.states[g.ring])
	}
}

// lateGroups returns the groups of copies that only the late product reads, and which it therefore waits for.
func (w *writer) lateGroups(c *carry) (out []*group) {
	for _, g := range w.groups {
		if g.late && g.block == c.loop.Body() {
			out = append(out, g)
		}
	}
	return out
}
