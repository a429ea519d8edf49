package specializewarps

import (
	"maps"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/scf"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/passes/tileas/machine/instr"
)

// A chain follows its accumulator from use to use. Loops carry it, and ifs pass it on, as around two versions of a loop:
//
//	S1 = if c { T = for { dot_async A, B, S } ; dot_wait T } else { 0 }
//	S2 = if d { T = for { dot_async A, B, S1 } ; dot_wait T } else { S1 }
//
// Whether some MMA has executed before another one is computed from bounds and conditions. They must not change
// within the chain.

// accumulatorOperands returns which operands of an operation may begin a chain: zeros, and any accumulator that no loop
// around it carries.
func accumulatorOperands(op ir.Op) (out []int) {
	for i, v := range op.Operands() {
		carried := op.Is(scf.For) && i >= scf.NumBounds && ir.IsTensor(v)
		if (carried || op.Is(tileas.DotAsync) && i == 2) && !v.DefiningOp().IsNil() {
			out = append(out, i)
		}
	}
	return out
}

// chainFrom returns the chain that an operand of an operation begins; nil if it begins none.
func (p *plan) chainFrom(op ir.Op, operand int) *chain {
	c := &chain{group: &group{block: op.Block()}, in: make(map[ir.Block][]ir.Op), start: op.Operand(operand)}
	c.given = !instr.IsZero(c.start)
	if c.given && p.pairs() {
		return nil
	}
	v, ok := c.step(p, op, c.start, operand)
	if !ok {
		return nil
	}
	for next, after, ok := c.further(p, v); ok; next, after, ok = c.further(p, v) {
		c, v = next, after
	}
	// Bounds and conditions inside the operations of a chain must be known before them.
	inside := func(v ir.Value) bool { return slices.ContainsFunc(c.steps(), v.IsInside) }
	if len(c.mmas) == 0 || !complete(v) || slices.ContainsFunc(c.conditions(), inside) {
		return nil
	}
	c.end, c.result = v.DefiningOp(), v.Index()
	return c
}

// further returns the chain with the operation that uses its accumulator v, and the accumulator after that. It fails
// where a chain ends.
func (c *chain) further(p *plan, v ir.Value) (next *chain, after ir.Value, ok bool) {
	next = &chain{group: &group{block: c.block}, in: maps.Clone(c.in), mmas: slices.Clone(c.mmas), waits: slices.Clone(c.waits), start: c.start, given: c.given}
	op := user(v, c.block)
	if !op.IsNil() && op == c.block.Last() {
		if v, ok = next.outer(p, v); !ok {
			return nil, v, false
		}
		op = user(v, next.block)
	}
	if op.IsNil() {
		return nil, v, false
	}
	after, ok = next.step(p, op, v, slices.Index(op.Operands(), v))
	return next, after, ok
}

// outer returns the result of the if around a chain whose other branch yields zeros too.
func (c *chain) outer(p *plan, v ir.Value) (out ir.Value, ok bool) {
	op, i := c.block.ParentOp(), slices.Index(c.block.Last().Operands(), v)
	if c.given || !op.Is(scf.If) || !p.rebuilt[op] || op.NumResults() == 0 {
		return v, false
	}
	for r := range op.NumRegions() {
		if end := op.Region(r).First().Last(); !end.Is(scf.Yield) || end.Operand(i) != v && !instr.IsZero(end.Operand(i)) {
			return v, false
		}
	}
	c.block = op.Block()
	c.add(op)
	return op.Result(i), true
}

// step follows an accumulator through an operation that uses it as some operand, or in its branches.
func (c *chain) step(p *plan, op ir.Op, v ir.Value, operand int) (after ir.Value, ok bool) {
	switch {
	case op.Is(tileas.DotAsync) && operand == 2:
		c.add(op)
		c.mmas = append(c.mmas, op)
		return op.Result(0), true
	case op.Is(tileas.DotWait) && len(c.mmas) > 0:
		c.waits = append(c.waits, op)
		return op.Result(operand), true
	case op.Is(scf.For) && operand >= scf.NumBounds && p.rebuilt[op]:
		c.add(op)
		i := operand - scf.NumBounds
		return op.Result(i), c.through(p, op.Body(), op.Body().Arg(1+i)) == i
	case op.Is(scf.If) && operand < 0 && p.rebuilt[op] && !op.Region(1).Empty():
		c.add(op)
		i := c.through(p, op.Region(0).First(), v)
		if i < 0 || c.through(p, op.Region(1).First(), v) != i {
			return v, false
		}
		return op.Result(i), true
	}
	return v, false
}

// through follows an accumulator through a block, and returns as which operand the block yields it; -1 if it does not.
func (c *chain) through(p *plan, b ir.Block, v ir.Value) int {
	for ok := true; ok; {
		op := user(v, b)
		if op.IsNil() {
			break
		}
		i := slices.Index(op.Operands(), v)
		if op == b.Last() {
			return i
		}
		v, ok = c.step(p, op, v, i)
	}
	return -1
}

// user returns the operation of a block that uses a value, itself or in its branches; a zero Op if several do.
func user(v ir.Value, b ir.Block) (op ir.Op) {
	for u := range v.Uses() {
		top := u.Owner().AncestorIn(b.Region())
		switch {
		case top.IsNil() || top.Block() != b: // in another branch
		case !op.IsNil() && (op != top || !op.Is(scf.If)):
			return ir.Op{}
		default:
			op = top
		}
	}
	return op
}

func (c *chain) add(op ir.Op) { c.in[op.Block()] = append(slices.Clip(c.in[op.Block()]), op) }

// complete reports whether all MMAs before an accumulator are complete, so that threads may take it: not only an MMA or a
// loop uses what was waited for.
func complete(v ir.Value) bool {
	op := v.DefiningOp()
	return op.NumRegions() > 0 || waitsForOne(op) && !(v.HasOneUse() && ir.Any(v.Uses(), func(u ir.Use) bool {
		return u.Owner().Is(tileas.DotAsync) && u.Index() == 2 || u.Owner().Is(scf.For) || u.Owner().Is(scf.Continue)
	}))
}

// conditions returns what decides whether operations of a chain execute their regions.
func (c *chain) conditions() (out []ir.Value) {
	for _, ops := range c.in {
		for _, op := range ops {
			switch {
			case op.Is(scf.For):
				out = append(out, op.Operands()[:2]...)
			case op.Is(scf.If):
				out = append(out, op.Operands()...)
			}
		}
	}
	return out
}

// executes returns whether some operations of a chain, in one block, execute an MMA.
func (w *writer) executes(c *chain, ops []ir.Op) ir.Value {
	if slices.ContainsFunc(ops, tileas.DotAsync.Is) {
		return w.flag(true)
	}
	flag := w.flag(false)
	for _, op := range ops {
		if op.Is(scf.For) {
			flag = w.or(flag, w.and(w.runs(op), w.executes(c, c.in[op.Body()])))
			continue
		}
		yes := w.m.Lookup(op.Operand(0))
		then, otherwise := w.and(yes, w.executes(c, c.in[op.Region(0).First()])), w.and(w.not(yes), w.executes(c, c.in[op.Region(1).First()]))
		flag = w.or(flag, w.or(then, otherwise))
	}
	return flag
}

// begun returns whether an accumulator has its initial value, or that of an MMA, before an operation of its chain.
func (w *writer) begun(c *chain, op ir.Op) ir.Value {
	b := op.Block()
	before := c.in[b][:slices.Index(c.in[b], op)]
	if c.given || slices.ContainsFunc(before, tileas.DotAsync.Is) {
		return w.flag(true)
	}
	flag := w.flag(false)
	if b != c.block {
		around := b.ParentOp()
		if flag = w.begun(c, around); around.Is(scf.For) {
			again := arith.NewCmpI(w.b, "ne", w.m.Lookup(around.Body().Arg(0)), w.m.Lookup(around.Operand(0)))
			flag = w.or(flag, w.and(again, w.executes(c, c.in[b])))
		}
	}
	return w.or(flag, w.executes(c, before))
}

// runs returns whether a loop has an iteration.
func (w *writer) runs(loop ir.Op) ir.Value {
	return arith.NewCmpI(w.b, scf.Less(loop), w.m.Lookup(loop.Operand(0)), w.m.Lookup(loop.Operand(1)))
}

func (w *writer) or(a, b ir.Value) ir.Value  { return arith.Fold(w.b, arith.OrI, a, b) }
func (w *writer) and(a, b ir.Value) ir.Value { return arith.Fold(w.b, arith.AndI, a, b) }
func (w *writer) not(a ir.Value) ir.Value    { return arith.Fold(w.b, arith.XOrI, a, w.flag(true)) }
func (w *writer) flag(yes bool) ir.Value     { return arith.NewBool(w.b, yes) }
