package intrange

import (
	"math/bits"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
	"github.com/tilewright/tilewright/ir/numeric"
)

// findCarried bounds the loop-carried values of counted loops to which every iteration adds something: as often as the
// loop runs at most.
func (s *scopes) findCarried(root ir.Op, known *Ranges) {
	root.Walk(func(op ir.Op) ir.WalkResult {
		if op != root && op.HasTrait(ir.IsolatedFromAbove) {
			return ir.SkipBelow
		}
		s.findGrowing(op, known)
		l, ok := countedLoop(op)
		if !ok || op == root || l.NumIterArgs == 0 || !known.Executed(op) {
			return ir.Advance
		}
		trips, ok := known.MostTrips(l)
		end := onlyContinue(l)
		if !ok || end.IsNil() || end.NumOperands() != l.NumIterArgs {
			return ir.Advance
		}
		for k := range l.NumIterArgs {
			inside, after, ok := carried(l, k, end.Operand(k), trips, known)
			if !ok {
				continue
			}
			s.bound(l.IterArg(k), inside)
			s.bound(l.Result(k), after)
		}
		return ir.Advance
	})
}

// findGrowing bounds the counters of loops of blocks that go on only while the next number is larger:
//
//	^head(%i):  ...  %next = %i + %step ; cond_br (%i < %next), ^head(%next), ^exit
//
// Such a counter is never below what it starts from, even if the sum can wrap around.
func (s *scopes) findGrowing(branch ir.Op, known *Ranges) {
	for succ := range branch.NumSuccessors() {
		arg, signed, ok := growing(branch, succ)
		if !ok || arg.Block().IsEntry() {
			continue
		}
		full := TypeRange(arg.Type())
		least, smallest := full.SMax, full.UMax
		for from, succ := range arg.Block().Preds() {
			if a, s, ok := growing(from, succ); ok && a == arg && s == signed {
				continue // a larger number than the one before
			}
			start := full
			if span, ok := ir.BranchOp.Of(from); ok {
				lo, _ := span(from, succ)
				start = known.Of(from.Operand(lo + arg.Index()))
			}
			least, smallest = min(least, start.SMin), min(smallest, start.UMin)
		}
		if signed {
			s.bound(arg, Signed(full.W, least, full.SMax))
		} else {
			s.bound(arg, Unsigned(full.W, smallest, full.UMax))
		}
	}
}

// growing returns the argument of a successor of branch that becomes larger on this way, and whether that is so of
// signed numbers.
func growing(branch ir.Op, succ int) (arg ir.Value, signed, ok bool) {
	span, branches := ir.BranchOp.Of(branch)
	guard, guarded := Guard.Of(branch)
	if !branches || !guarded {
		return arg, false, false
	}
	cond, is, ok := guard(branch, succ)
	if !ok || !is || cond.DefiningOp().IsNil() {
		return arg, false, false
	}
	less := cond.DefiningOp()
	computes, ok := constfold.Computes.Of(less)
	if !ok || less.NumOperands() != 2 {
		return arg, false, false
	}
	spec, ok := computes(less)
	arg = less.Operand(0)
	if !ok || spec.Op != constfold.Compare || spec.Predicate != numeric.LessThan || spec.In.Int == 0 ||
		!arg.IsBlockArg() || arg.Block() != branch.Successor(succ) {
		return arg, false, false
	}
	lo, _ := span(branch, succ)
	return arg, spec.Signed, branch.Operand(lo+arg.Index()) == less.Operand(1)
}

func (s *scopes) bound(v ir.Value, r Range) {
	if s.carriedAt == nil {
		s.carriedAt = make([]int32, s.arena.NumValues())
	}
	s.carried = append(s.carried, r)
	s.carriedAt[v.ID()] = int32(len(s.carried))
}

// MostTrips returns how often a counted loop runs at most; not ok: it never runs, or 2^64 times.
func (r *Ranges) MostTrips(l ir.Loop) (n uint64, ok bool) {
	lower, upper, step := r.Of(l.Lower), r.Of(l.Upper), r.Of(l.Step)
	var span uint64 // from the first to the largest value
	if l.Unsigned {
		if step.UMin == 0 || upper.UMax <= lower.UMin {
			return 0, false
		}
		span = upper.UMax - 1 - lower.UMin
		return span/step.UMin + 1, span/step.UMin+1 != 0
	}
	least := max(step.SMin, 1) // it is positive
	if upper.SMax <= lower.SMin {
		return 0, false
	}
	span = uint64(upper.SMax) - 1 - uint64(lower.SMin)
	// The smallest step makes the most iterations. The sum wraps to 0 when there may be 2^64.
	trips := span/uint64(least) + 1
	return trips, trips != 0
}

// onlyContinue returns the terminator that ends the iterations of a loop if there is only one, at the end of its body.
// Another continue would carry another value, and a break gives results of its own.
func onlyContinue(l ir.Loop) ir.Op {
	if !l.Body.HasOneBlock() || l.Body.First().Empty() {
		return ir.Op{}
	}
	end, others := l.Body.First().Last(), 0
	l.Op.Walk(func(op ir.Op) ir.WalkResult {
		if op != end && op.HasTrait(ir.Terminator) && ir.ExitTarget(op) == l.Op {
			others++
		}
		return ir.Advance
	})
	if others > 0 || ir.ExitTarget(end) != l.Op {
		return ir.Op{}
	}
	return end
}

// carried returns the range of loop-carried value k inside a loop and after it, when its next value is that plus or
// minus something.
func carried(l ir.Loop, k int, next ir.Value, trips uint64, known *Ranges) (inside, after Range, ok bool) {
	op := next.DefiningOp()
	arg := l.IterArg(k)
	if op.IsNil() || op.NumOperands() != 2 {
		return inside, after, false
	}
	computes, has := constfold.Computes.Of(op)
	if !has {
		return inside, after, false
	}
	spec, ok := computes(op)
	if !ok || spec.In.Int == 0 || spec.In.Int != Width(arg) {
		return inside, after, false
	}
	a, b := op.Operand(0), op.Operand(1)
	if spec.Op == constfold.Add && b == arg {
		a, b = b, a
	}
	if a != arg || b == arg || spec.Op != constfold.Add && spec.Op != constfold.Sub {
		return inside, after, false
	}
	init, step := known.Of(l.Init(k)), known.Of(b)
	t := transfer{Spec: &spec, w: spec.In.Int, out: spec.In.Int}
	inside, ok1 := t.grown(init, step, trips-1)
	after, ok2 := t.grown(init, step, trips)
	return inside, after, ok1 && ok2
}

// grown returns the range of init after up to n additions (or subtractions) of numbers of a range.
func (t *transfer) grown(init, step Range, n uint64) (Range, bool) {
	// With zero, because fewer additions than n count too.
	lo, hi := fromSigned(min(step.SMin, 0)), fromSigned(max(step.SMax, 0))
	if t.Op == constfold.Sub {
		lo, hi = hi.negate(), lo.negate()
	}
	far := func(v wide) (wide, bool) {
		magnitude := v
		if v.isNegative() {
			magnitude = v.negate()
		}
		high, _ := bits.Mul64(magnitude.lo, n)
		return v.mul(fromUnsigned(n)), high == 0
	}
	lo, ok1 := far(lo)
	hi, ok2 := far(hi)
	if !ok1 || !ok2 {
		return Range{}, false
	}
	var out builder
	init.parts(func(p part) {
		sum := interval{fromSigned(t.w.Signed(p.lo)).add(lo), fromSigned(t.w.Signed(p.hi)).add(hi)}
		if t.Promise.Signed { // no addition wrapped, so that the sum is what it says
			sum = sum.clip(t.limits(true))
		}
		out.wrapped(t.w, sum.lo, sum.hi)
	})
	return out.done(t.w), true
}
