package specializewarps

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
)

// The second MMA of a carry is late: it is issued an iteration later, after the first MMA there:
//
//	for { S = dot_async Q, K ; dot_wait S ; ... P = exp(S) ; T = O * scale ; O' = dot_async P, V, T ; dot_wait O' }
//
// becomes
//
//	if there is an iteration {
//	  S = dot_async Q, K ; dot_wait S ; ... P = exp(S) ; T = O * scale
//	  for the others {
//	    S = dot_async Q, K ; O = dot_async P, V, T ; dot_wait {pending = 1} S ; ... P' = exp(S)
//	    dot_wait O ; T' = O * scale
//	  }
//	  O' = dot_async P, V, T ; dot_wait O'
//	}
//
// The arithmetic of an iteration then overlaps P V of the previous one in the same group of warps (FlashAttention 3,
// section 3.2). Groups can ping-pong with both MMAs too (3.1).
//
// P, O and S are live at the same time, throughout the arithmetic.

// makeLate makes the second MMA of a carry late, and reports whether it can be. Its operand A, and everything that
// overlaps it, must not depend on the accumulator. Operations that do depend on it move, so they must have no effects.
func (c *carry) makeLate() bool {
	body := c.loop.Body()
	c.after = make(map[ir.Op]bool)
	rests := func(op ir.Op) bool {
		return slices.ContainsFunc(ir.Inputs(op), func(v ir.Value) bool {
			return v == body.Arg(1+c.index) || c.after[v.DefiningOp()]
		})
	}
	for op := range body.Ops() {
		switch {
		case op == c.second || op == c.dropped || op.HasTrait(ir.Terminator) || !rests(op):
		case !ir.IsPure(op):
			return false
		default:
			c.after[op] = true
		}
	}
	operand, start := c.second.Operand(0).DefiningOp(), c.second.Operand(2)
	return !operand.IsNil() && operand.Block() == body && !c.after[operand] && (start == body.Arg(1+c.index) || c.after[start.DefiningOp()])
}

// writeLate makes the consumers issue an MMA late. What it and the operations that depend on it need is only known
// after the first MMA of the next iteration.
func (w *writer) writeLate(c *carry) {
	w.drop(append(c.idle, c.dropped, c.second)...)
	fence := c.second.FindPrev(func(op ir.Op) bool { return op.Is(tileas.FenceAsync) || op.Is(tileas.DotAsync) })
	if c.readsCopies() && fence.Is(tileas.FenceAsync) {
		w.drop(fence) // awaitLate has it
	}
	for op := range c.after {
		w.drop(op)
	}
	w.instead[c.loop] = func() { w.lateLoop(c.loop, c) }
}

// lateLoop rebuilds the loop of a late MMA: it peels the first iteration before the loop, and the last late MMA after
// it.
func (w *writer) lateLoop(op ir.Op, c *carry) {
	kept, args := w.carried(op), op.Body().Args()[1:]
	inits := w.picked(op.Operands()[scf.NumBounds:], kept)
	w.bind(op.Results(), kept, w.peel(op, inits, peeled{
		first: func() []ir.Value {
			w.bind(args, kept, inits)
			w.lateIteration(c, nil) // it has no earlier one whose MMA it could issue
			return w.handed(c, kept)
		},
		next: func(handed []ir.Value) []ir.Value {
			w.lateIteration(c, w.takeHanded(c, kept, handed))
			return w.handed(c, kept)
		},
		last: func(handed []ir.Value) []ir.Value { // the last iteration's late MMA is still to be issued
			operands := w.takeHanded(c, kept, handed)
			w.awaitLate(c)
			w.pingPong(tileas.PingPongWait)
			accumulator := w.issueLate(c, operands)
			w.pingPong(tileas.PingPongSignal)
			w.m.Values[args[c.index]] = tileas.NewDotWait(w.b, 0, accumulator).Result(0)
			w.releaseLate(c)
			return w.picked(args, kept)
		},
	}))
}

// handed returns what an iteration hands to the next. It is the loop-carried values, with the input accumulator of the
// late MMA in the place of its result, and then its operand A.
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

// takeHanded maps the loop-carried values to what the previous iteration handed on. It returns A and the input
// accumulator of the late MMA.
func (w *writer) takeHanded(c *carry, kept []int, from []ir.Value) (operands []ir.Value) {
	args := c.loop.Body().Args()[1:]
	w.bind(args, kept, from)
	return []ir.Value{from[len(kept)], w.m.Lookup(args[c.index])}
}

// lateIteration creates an iteration and, after its first MMA, the late MMA of the previous one with the given
// operands; nil: there is none.
func (w *writer) lateIteration(c *carry, operands []ir.Value) {
	body := c.loop.Body()
	carried := body.Arg(1 + c.index)
	var mma ir.Value
	// All MMAs are one stretch of ping-pong: the late one is issued right after the first.
	begin := func() {
		if operands != nil {
			w.awaitLate(c)
		}
		w.pingPong(tileas.PingPongWait)
		w.b.Clone(c.begins, w.m)
	}
	w.instead[c.begins] = begin
	w.instead[c.first] = func() {
		if c.begins == c.first {
			begin()
		} else {
			w.b.Clone(c.first, w.m)
		}
		if operands != nil {
			mma = w.issueLate(c, operands)
		}
		w.pingPong(tileas.PingPongSignal)
	}
	w.instead[c.at] = func() {
		// The late MMA is issued after the first one, so it may stay in flight: MMAs complete in order.
		pending := 0
		if operands != nil {
			pending = 1
		}
		w.m.Values[c.at.Result(0)] = tileas.NewDotWait(w.b, pending, w.m.Lookup(c.first.Result(0))).Result(0)
	}
	w.block(body)
	if operands != nil {
		w.m.Values[carried] = tileas.NewDotWait(w.b, 0, mma).Result(0)
		w.releaseLate(c)
	}
	for op := range body.Ops() {
		if c.after[op] && w.keeps.live[op] {
			w.b.Loc = op.Loc()
			w.b.Clone(op, w.m)
		}
	}
}

// awaitLate waits for the stages that the late MMA reads. The fence for copies comes here too.
func (w *writer) awaitLate(c *carry) {
	for _, g := range c.own {
		w.open(g)
	}
	if c.readsCopies() {
		w.b.Create(tileas.FenceAsync, nil, nil)
	}
}

// readsCopies reports whether the late MMA reads what threads of another role copy.
func (c *carry) readsCopies() bool {
	return slices.ContainsFunc(c.own, func(g *group) bool { return g.gathered })
}

// issueLate issues the late MMA with the operands of the previous iteration.
func (w *writer) issueLate(c *carry, operands []ir.Value) ir.Value {
	loc := w.b.Loc
	w.b.Loc = c.second.Loc()
	w.m.Values[c.second.Operand(0)], w.m.Values[c.second.Operand(2)] = operands[0], operands[1]
	mma := w.b.Clone(c.second, w.m).Result(0)
	w.b.Loc = loc
	return mma
}

// releaseLate releases the stages that a late MMA has read.
func (w *writer) releaseLate(c *carry) {
	for _, g := range c.own {
		w.handOn(g)
	}
}
