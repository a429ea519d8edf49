package canonical

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// The canonical forms of an if. An arm may end with a break, continue or return instead of a yield: what follows the
// if is then reached through the other arm only.
//
// There are no phi nodes that would show this: a value that only one arm yields is the result on every path that goes
// on after the if.

func attachIf() {
	patterns := []rewrite.Pattern{
		{Name: "if-empty-else", Rewrite: ifEmptyElse}, // first, or else if-of-negated would make it an empty then
		{Name: "if-of-negated", Rewrite: ifOfNegated},
		{Name: "if-unused-results", Rewrite: ifUnusedResults},
		{Name: "if-known-results", Rewrite: ifKnownResults},
		{Name: "if-known-condition", Rewrite: ifKnownCondition},
		{Name: "if-to-select", Rewrite: ifToSelect},
		{Name: "if-behind-if", Rewrite: ifBehindIf},
		{Name: "if-in-if", Rewrite: ifInIf},
		{Name: "if-both-leave", Rewrite: ifBothLeave},
	}
	for i := range patterns {
		rewriteIf := patterns[i].Rewrite
		patterns[i].Rewrite = func(op ir.Op, rw *rewrite.Rewriter) bool { return understood(op) && rewriteIf(op, rw) }
	}
	cudatile.If.Attach(rewrite.Canonicalizers.Is(patterns))
}

// understood reports whether the arms of an if end as those of this dialect do. Where unknown operations are
// admitted, one may be the last.
//
// The patterns rely on the three ways out (yield; break or continue; return). An operation of another dialect
// that ends an arm may do anything.
func understood(op ir.Op) bool {
	for i := range 2 {
		b := arm(op, i)
		if b.IsNil() && i == elseArm {
			continue
		}
		if b.IsNil() || b.Empty() || !yields(b.Last()) && !leaves(b.Last()) {
			return false
		}
	}
	return true
}

// The arms of an if.
const (
	thenArm = 0
	elseArm = 1
)

// arm returns the block of an arm; a zero Block for an else that is not there.
func arm(op ir.Op, i int) ir.Block { return op.Region(i).First() }

// terminator returns the terminator of an arm; a zero Op for an else that is not there.
func terminator(op ir.Op, i int) ir.Op {
	if b := arm(op, i); !b.IsNil() {
		return b.Terminator()
	}
	return ir.Op{}
}

// yields reports whether a terminator ends an arm with its results.
func yields(term ir.Op) bool { return !term.IsNil() && term.Is(cudatile.Yield) }

// leaves reports whether a terminator leaves the if for an operation farther out.
func leaves(term ir.Op) bool {
	return !term.IsNil() && (term.Is(cudatile.Break) || term.Is(cudatile.Continue) || term.Is(cudatile.Return))
}

// isOnly reports whether a block has nothing but its terminator. An arm of this dialect always has a terminator, so
// that the first operation being the last one means that there is no other.
func isOnly(b ir.Block) bool { return !b.IsNil() && b.First() == b.Last() }

// newIf inserts an if with empty regions.
func newIf(rw *rewrite.Rewriter, loc ir.Location, cond ir.Value, results []ir.Type) ir.Op {
	st := rw.NewState(cudatile.If, loc)
	st.Operands = []ir.Value{cond}
	st.Types = results
	st.AddRegion()
	st.AddRegion()
	return rw.Insert(st)
}

// yieldInstead replaces a yield by one of other values.
func yieldInstead(rw *rewrite.Rewriter, yield ir.Op, values []ir.Value) {
	rw.SetInsertionPointBefore(yield)
	rw.Loc = yield.Loc()
	rw.Create(cudatile.Yield, values, nil)
	rw.Erase(yield)
}

// inline puts what is in an arm in the place of the if. Where the arm leaves, nothing that follows in the block is
// reached.
//
//	if %true { A; yield %x } else { B }      ->      A, and %x for the result
//	if %true { A; break %x } ; C             ->      A; break %x                C is not reached, and goes
func inline(op ir.Op, i int, rw *rewrite.Rewriter) {
	term := terminator(op, i)
	rw.InlineBefore(arm(op, i), op)
	if yields(term) {
		rw.Replace(op, term.Operands()...)
		rw.Erase(term)
		return
	}
	// From the end, since what is erased must have no uses. The terminator of the arm, now before the if, is then the
	// end of the block.
	for last := op.Block().Last(); ; last = op.Block().Last() {
		rw.Erase(last)
		if last == op {
			return
		}
	}
}

// ifOfNegated: where the condition is a negation, the arms change places. Without an else that would not be simpler.
//
//	if not %c { A } else { B }      ->      if %c { B } else { A }
func ifOfNegated(op ir.Op, rw *rewrite.Rewriter) bool {
	cond, ok := negated(op.Operand(0))
	if !ok || arm(op, elseArm).IsNil() {
		return false
	}
	then := arm(op, thenArm)
	arm(op, elseArm).MoveToEnd(op.Region(thenArm))
	then.MoveToEnd(op.Region(elseArm))
	rw.SetOperand(op, 0, cond)
	return true
}

// ifUnusedResults drops the results that nobody uses. For example, where %s is unused:
//
//	%r, %s = if %c { yield %a, %b } else { yield %d, %e }      ->      %r = if %c { yield %a } else { yield %d }
//
// What only %s needed is then dead in its arm.
func ifUnusedResults(op ir.Op, rw *rewrite.Rewriter) bool {
	var used []int
	var types []ir.Type
	for i := range op.NumResults() {
		if r := op.Result(i); r.HasUses() {
			used = append(used, i)
			types = append(types, r.Type())
		}
	}
	if len(used) == op.NumResults() || !yields(terminator(op, thenArm)) && !yields(terminator(op, elseArm)) {
		return false
	}
	// The results of an operation are fixed when it is made, so there has to be a new one. Its hints
	// (cuda_tile.loop_split) go with it.
	n := newIf(rw, op.Loc(), op.Operand(0), types)
	n.SetDiscardableAttrs(op.DiscardableAttrs())
	for i := range 2 {
		n.Region(i).TakeBlocks(op.Region(i))
		if term := terminator(n, i); yields(term) {
			values := make([]ir.Value, len(used))
			for k, r := range used {
				values[k] = term.Operand(r)
			}
			yieldInstead(rw, term, values)
		}
	}
	for k, r := range used {
		rw.ReplaceUses(op.Result(r), n.Result(k))
	}
	rw.Erase(op)
	return true
}

// ifKnownResults replaces results that both arms yield alike, and truth values that are the condition or its negation.
//
//	yield %x     else yield %x         ->      %x
//	yield true   else yield false      ->      %c
//	yield false  else yield true       ->      xori %c, true
func ifKnownResults(op ir.Op, rw *rewrite.Rewriter) bool {
	then, otherwise := terminator(op, thenArm), terminator(op, elseArm)
	if op.NumResults() == 0 || !yields(then) || !yields(otherwise) {
		return false
	}
	cond := op.Operand(0)
	changed := false
	for i := range op.NumResults() {
		r, yes, no := op.Result(i), then.Operand(i), otherwise.Operand(i)
		// Else the pattern would find the same change again and again, and the driver would never come to an end.
		if !r.HasUses() {
			continue
		}
		switch {
		// A value that both arms see is defined outside of either, so that it may be used after the if as well.
		case yes == no:
			rw.ReplaceUses(r, yes)
		// Only a scalar i1 can be the condition itself; a tile of truth values would need it broadcast, which is no
		// simpler.
		case r.Type() != cond.Type():
			continue
		case isTruth(yes, true) && isTruth(no, false):
			rw.ReplaceUses(r, cond)
		case isTruth(yes, false) && isTruth(no, true):
			rw.SetInsertionPointBefore(op)
			rw.Loc = op.Loc()
			rw.ReplaceUses(r, not(rw, cond))
		default:
			continue
		}
		changed = true
	}
	return changed
}

// ifKnownCondition keeps the arm that is taken.
func ifKnownCondition(op ir.Op, rw *rewrite.Rewriter) bool {
	cond, ok := truthOf(op.Operand(0))
	switch {
	case !ok:
		return false
	case cond:
		inline(op, thenArm, rw)
	case !arm(op, elseArm).IsNil():
		inline(op, elseArm, rw)
	default:
		rw.Erase(op)
	}
	return true
}

// ifToSelect takes results out of an if whose values are defined outside. Where one arm leaves, the result is what the
// other one yields, else a select between the two. Both values exist before the if, so nothing is computed that was
// not before, and there is no question of cost. MLIR has the same form for scf.if (ConvertTrivialIfToSelect). %x and
// %y are from outside:
//
//	%r = if %c { A; yield %x } else { B; yield %y }    ->    if %c { A } else { B } ; %r = select %c, %x, %y
//	%r = if %c { A; yield %x } else { return }         ->    if %c { A } else { return } ; %r is %x
//
// A tile's select needs the condition for each element: reshape and broadcast make it from the scalar.
func ifToSelect(op ir.Op, rw *rewrite.Rewriter) bool {
	terms := [2]ir.Op{terminator(op, thenArm), terminator(op, elseArm)}
	if op.NumResults() == 0 || !yields(terms[0]) && !yields(terms[1]) {
		return false
	}
	for _, t := range op.ResultTypes() {
		if _, ok := t.(*cudatile.TileType); !ok {
			return false // tokens cannot be selected
		}
	}
	var kept []int
	var types []ir.Type
	for i := range op.NumResults() {
		if !outside(op, terms, i) {
			kept = append(kept, i)
			types = append(types, op.Result(i).Type())
		}
	}
	if len(kept) == op.NumResults() {
		return false
	}
	cond := op.Operand(0)
	for i, k := 0, 0; i < op.NumResults(); i++ {
		if k < len(kept) && kept[k] == i {
			k++
			continue
		}
		rw.SetInsertionPointBefore(op)
		rw.Loc = op.Loc()
		rw.ReplaceUses(op.Result(i), chosen(rw, cond, terms, i))
	}
	rw.SetInsertionPointBefore(op)
	n := newIf(rw, op.Loc(), cond, types)
	n.SetDiscardableAttrs(op.DiscardableAttrs())
	for k, i := range kept {
		rw.ReplaceUses(op.Result(i), n.Result(k))
	}
	for i := range 2 {
		n.Region(i).TakeBlocks(op.Region(i))
		if yields(terms[i]) {
			values := make([]ir.Value, len(kept))
			for k, r := range kept {
				values[k] = terms[i].Operand(r)
			}
			yieldInstead(rw, terms[i], values)
		}
	}
	rw.Erase(op)
	return true
}

// outside reports whether the values of a result are defined outside of the arms, and can be selected between.
func outside(op ir.Op, terms [2]ir.Op, result int) bool {
	var values []ir.Value
	for _, term := range terms {
		if yields(term) {
			v := term.Operand(result)
			// What an arm yields is visible at its end, so it stands in the block of the arm or outside of the if,
			// never deeper.
			if v.Block().ParentOp() == op {
				return false
			}
			values = append(values, v)
		}
	}
	return len(values) == 1 || values[0] == values[1] || selectable(values[0].Type())
}

// chosen returns a value that is what an if would yield as a result.
func chosen(rw *rewrite.Rewriter, cond ir.Value, terms [2]ir.Op, result int) ir.Value {
	switch {
	case !yields(terms[elseArm]):
		return terms[thenArm].Operand(result)
	case !yields(terms[thenArm]):
		return terms[elseArm].Operand(result)
	}
	return newSelect(rw, cond, terms[thenArm].Operand(result), terms[elseArm].Operand(result))
}

// selectable reports whether a select may have the type. The rule is verifySelect's: what it rejects must not be made.
func selectable(t ir.Type) bool {
	tile, ok := t.(*cudatile.TileType)
	return ok && !cudatile.IsFloat(tile.Elem, numeric.F4E2M1FN)
}

// newSelect inserts a select between tiles by a scalar condition, unless they are the same.
func newSelect(rw *rewrite.Rewriter, cond, yes, no ir.Value) ir.Value {
	if yes == no {
		return yes
	}
	t, b := yes.Type().(*cudatile.TileType), cond.Type().(*cudatile.TileType)
	// A select has one condition for each element, an if one for all.
	if t.Rank() > 0 {
		ones := b.WithShape(slices.Repeat([]int64{1}, t.Rank())...)
		cond = rw.Create(cudatile.Reshape, []ir.Value{cond}, []ir.Type{ones}).Result(0)
		cond = rw.Create(cudatile.Broadcast, []ir.Value{cond}, []ir.Type{b.WithShape(t.Shape...)}).Result(0)
	}
	return rw.Create(cudatile.Select, []ir.Value{cond, yes, no}, []ir.Type{t}).Result(0)
}

// ifEmptyElse drops an else that does nothing.
//
//	if %c { A } else { }      ->      if %c { A }
func ifEmptyElse(op ir.Op, rw *rewrite.Rewriter) bool {
	if op.NumResults() > 0 || !isOnly(arm(op, elseArm)) || !yields(terminator(op, elseArm)) {
		return false
	}
	rw.EraseBlock(arm(op, elseArm))
	return true
}

// ifBothLeave: where both arms leave, nothing that follows is reached, and the else can stand there.
//
//	if %c { A; break } else { B; continue } ; C      ->      if %c { A; break } ; B; continue
func ifBothLeave(op ir.Op, rw *rewrite.Rewriter) bool {
	if !leaves(terminator(op, thenArm)) || !leaves(terminator(op, elseArm)) {
		return false
	}
	n := newIf(rw, op.Loc(), op.Operand(0), nil)
	n.SetDiscardableAttrs(op.DiscardableAttrs())
	n.Region(thenArm).TakeBlocks(op.Region(thenArm))
	inline(op, elseArm, rw)
	return true
}
