package reducestrength

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/cf"
	"github.com/tilewright/tilewright/ir"
)

// mostStages bounds the stages of circular buffers, and mostBytes what their counters are multiplied by. So the
// counter and its bounds fit 31 bits as bytes too. Additions may wrap: they are equal modulo 2^32 either way.
const mostStages, mostBytes = 1 << 10, 1 << 18

// scaleStageCounters makes counters of stages count in units of what all their users multiply them by, and
// returns how many counters changed.
//
//	%next = select(%i == last, 0, %i + 1) ... %i * 16384   ->   %next = select(%i == last * 16384, 0, %i + 16384) ... %i
func (c *carrier) scaleStageCounters() (n int) {
	for i, arg := range c.loop.Header.Args() {
		if !c.isStageCounter(i, arg) {
			continue
		}
		r := &stageCounter{arg: arg, is: make(map[ir.Value]bool)}
		if r.collect() && r.closed() && r.factor > 1 && c.may("scale-stage-counter", c.latch) {
			r.scale()
			c.entry.SetOperand(i, scaled(c.entry, i, r.factor))
			n++
		}
	}
	return n
}

// carryStagesBefore makes the loop carry the stage before that of a counter, where the loop computes it, and returns how
// many it carries.
//
//	%before = select(%i < 1, %i + last, %i - 1)   ->   an argument of the header, which is %i of the iteration before
//
// A loop that prefetches as far as its stages reach fills the stage that it emptied last. So it saves a comparison and an
// addition.
func (c *carrier) carryStagesBefore() (n int) {
	for i, arg := range c.loop.Header.Args() {
		unit, last, ok := c.wraps(i, arg)
		if !ok {
			continue
		}
		var before []ir.Op
		for u := range arg.Uses() {
			if op := u.Owner(); op.Is(arith.CmpI) && op.NumResults() == 1 && op.Result(0).HasOneUse() {
				if s := op.Result(0).FirstUse().Owner(); isStageBefore(s, op, arg, unit, last) {
					before = append(before, s)
				}
			}
		}
		if len(before) == 0 || !c.may("carry-stage-before", c.latch) {
			continue
		}
		start := stageBefore(c.entry, c.entry.Operand(i), unit, last)
		carried := c.loop.Header.AddArg(arg.Type())
		c.entry.SetOperands(append(c.entry.Operands(), start))
		c.latch.SetOperands(append(c.latch.Operands(), arg))
		for _, op := range before {
			op.Result(0).ReplaceAllUsesWith(carried)
		}
		n++
	}
	return n
}

// stageBefore computes the stage before one in front of an operation: the first iteration has none before it.
func stageBefore(at ir.Op, stage ir.Value, unit, last int64) ir.Value {
	b := ir.BuilderBefore(at)
	b.SetLocOf(at)
	number := func(n int64) ir.Value { return arith.NewInt(b, stage.Type(), n) }
	if n, known := constant(stage); known && n < unit {
		return number(n + last)
	}
	add := func(n int64) ir.Value {
		return b.Create(arith.AddI, []ir.Value{stage, number(n)}, []ir.Type{stage.Type()}).Result(0)
	}
	first := arith.NewCmpI(b, "ult", stage, number(unit))
	return b.Create(arith.Select, []ir.Value{first, add(last), add(-unit)}, []ir.Type{stage.Type()}).Result(0)
}

// wraps returns by how much an argument of the header counts, and after which number it begins with 0 again. With two
// stages the one before is the next, which is computed anyway.
func (c *carrier) wraps(i int, arg ir.Value) (unit, last int64, ok bool) {
	next := c.latch.Operand(i).DefiningOp()
	if ir.BitWidth(arg.Type()) != 32 || next.IsNil() || !next.Is(arith.Select) || !arith.IsInt(next.Operand(1), 0) {
		return 0, 0, false
	}
	test, up := next.Operand(0).DefiningOp(), next.Operand(2).DefiningOp()
	if test.IsNil() || up.IsNil() || !test.Is(arith.CmpI) || test.StringAttr(arith.AttrPredicate) != "eq" || test.Operand(0) != arg || !up.Is(arith.AddI) || up.Operand(0) != arg {
		return 0, 0, false
	}
	last, ok = constant(test.Operand(1))
	unit, also := constant(up.Operand(1))
	return unit, last, ok && also && 0 < unit && 2*unit <= last && last <= mostStages*mostBytes && last%unit == 0
}

// isStageBefore reports whether a select by a test of a counter is the stage before it.
func isStageBefore(op, test ir.Op, counter ir.Value, unit, last int64) bool {
	adds := func(v ir.Value, k int64) bool {
		def := v.DefiningOp()
		return !def.IsNil() && def.Is(arith.AddI) && def.Operand(0) == counter && arith.IsInt(def.Operand(1), k)
	}
	return op.Is(arith.Select) && op.Operand(0) == test.Result(0) && test.StringAttr(arith.AttrPredicate) == "ult" && test.Operand(0) == counter && arith.IsInt(test.Operand(1), unit) &&
		adds(op.Operand(1), last) && adds(op.Operand(2), -unit)
}

// isStageCounter reports whether an argument of the header is a counter that wraps. It is a number in [0,
// mostStages) that is followed by the next one, or after the last one by a constant of that range.
func (c *carrier) isStageCounter(i int, arg ir.Value) bool {
	next := c.latch.Operand(i).DefiningOp()
	if ir.BitWidth(arg.Type()) != 32 || next.IsNil() || !next.Is(arith.Select) {
		return false
	}
	test, up := next.Operand(0).DefiningOp(), next.Operand(2).DefiningOp()
	if test.IsNil() || up.IsNil() || !test.Is(arith.CmpI) || test.StringAttr(arith.AttrPredicate) != "eq" || test.Operand(0) != arg ||
		!up.Is(arith.AddI) || up.Operand(0) != arg || !arith.IsInt(up.Operand(1), 1) {
		return false
	}
	last, ok := stages(test.Operand(1))
	among := func(v ir.Value) bool {
		n, known := stages(v)
		return known && 0 <= n && n <= last
	}
	return ok && among(next.Operand(1)) && among(c.entry.Operand(i))
}

// stages returns a constant number of stages.
func stages(v ir.Value) (int64, bool) {
	n, ok := constant(v)
	return n, ok && -mostStages < n && n < mostStages
}

// A stageCounter is the counter of a circular buffer's stages, with all that is computed from it.
type stageCounter struct {
	arg        ir.Value
	counts     []ir.Value // the counter, and what is computed from it and counts stages too
	is         map[ir.Value]bool
	tests      []ir.Op // comparisons of the counter with constants
	scaledUses []ir.Op
	factor     int64
}

func (r *stageCounter) add(v ir.Value) {
	if !r.is[v] {
		r.is[v] = true
		r.counts = append(r.counts, v)
	}
}

// collect finds what is computed from the counter, and reports whether all of it can be scaled.
func (r *stageCounter) collect() bool {
	r.add(r.arg)
	for n := 0; n < len(r.counts); n++ {
		for u := range r.counts[n].Uses() {
			if !r.use(u) {
				return false
			}
		}
	}
	return true
}

func (r *stageCounter) use(u ir.Use) bool {
	op, i := u.Owner(), u.Index()
	switch {
	case op.Is(arith.MulI) && i == 0:
		n, known := constant(op.Operand(1))
		if r.factor == 0 {
			r.factor = n
		}
		r.scaledUses = append(r.scaledUses, op)
		return known && 0 < n && n <= mostBytes && n == r.factor
	case op.Is(arith.AddI) && i == 0:
		r.add(op.Result(0))
		_, known := stages(op.Operand(1))
		return known
	case op.Is(arith.Select) && i > 0:
		r.add(op.Result(0))
		return true
	case op.Is(arith.CmpI) && i == 0 && u.Value() == r.arg:
		r.tests = append(r.tests, op)
		_, known := stages(op.Operand(1))
		return known
	case op.Is(cf.Br), op.Is(cf.CondBr):
		branch, _ := ir.BranchOp.Of(op)
		for s := range op.NumSuccessors() {
			if lo, hi := branch(op, s); lo <= i && i < hi {
				r.add(op.Successor(s).Arg(i - lo))
				return true
			}
		}
	}
	return false
}

// closed reports whether everything that counts stages is computed from such counts and constants only.
func (r *stageCounter) closed() bool {
	for _, v := range r.counts {
		def := v.DefiningOp()
		switch {
		case v == r.arg: // isStageCounter has checked it
		case def.IsNil():
			for term, s := range v.Block().Preds() {
				branch, ok := ir.BranchOp.Of(term)
				if !ok {
					return false
				}
				if lo, _ := branch(term, s); !r.is[term.Operand(lo+v.Index())] {
					return false
				}
			}
		case def.Is(arith.Select):
			for i := 1; i <= 2; i++ {
				if _, known := stages(def.Operand(i)); !known && !r.is[def.Operand(i)] {
					return false
				}
			}
		}
	}
	return true
}

// scale multiplies the constants by the factor, and removes it from the multiplications.
func (r *stageCounter) scale() {
	for _, v := range r.counts {
		def := v.DefiningOp()
		for i := 0; !def.IsNil() && i < def.NumOperands(); i++ {
			if !r.is[def.Operand(i)] && ir.BitWidth(def.Operand(i).Type()) == 32 {
				def.SetOperand(i, scaled(def, i, r.factor))
			}
		}
	}
	for _, op := range r.tests {
		op.SetOperand(1, scaled(op, 1, r.factor))
	}
	for _, op := range r.scaledUses {
		op.Result(0).ReplaceAllUsesWith(op.Operand(0))
		op.Erase()
	}
}

// scaled returns a constant operand times a factor.
func scaled(op ir.Op, i int, factor int64) ir.Value {
	n, _ := constant(op.Operand(i))
	return arith.NewInt(ir.BuilderBefore(op), op.Operand(i).Type(), n*factor)
}
