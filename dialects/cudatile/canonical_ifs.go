package cudatile

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// maxMergedResults bounds the results of an if that is made of several, because each further one costs as much as there are.
const maxMergedResults = 256

// ifBehindIf merges an if with the one directly before it, when it has the same condition or its negation.
func ifBehindIf(op ir.Op, rw *rewrite.Rewriter) bool {
	prev := op.Prev()
	if prev.IsNil() || !prev.Is(If) || !understood(prev) || prev.NumResults()+op.NumResults() > maxMergedResults {
		return false
	}
	swapped, ok := related(prev.Operand(0), op.Operand(0))
	if !ok {
		return false
	}
	// Which arm of op goes behind which arm of prev: none behind one that leaves.
	var behind [2]ir.Block
	for i := range behind {
		if leaves(terminator(prev, i)) {
			continue
		}
		if behind[i] = arm(op, i); swapped {
			behind[i] = arm(op, 1-i)
		}
	}
	if behind[0].IsNil() && behind[1].IsNil() {
		return false
	}
	n := newIf(rw, op.Loc(), prev.Operand(0), slices.Concat(prev.ResultTypes(), op.ResultTypes()))
	for i, b := range behind {
		appendArm(rw, prev, n, i, b)
	}
	for i := range prev.NumResults() {
		rw.ReplaceUses(prev.Result(i), n.Result(i))
	}
	for i := range op.NumResults() {
		rw.ReplaceUses(op.Result(i), n.Result(prev.NumResults()+i))
	}
	rw.Erase(op)
	rw.Erase(prev)
	return true
}

// related reports whether two conditions are the same, or (swapped) one is the negation of the other.
func related(a, b ir.Value) (swapped, ok bool) {
	if a == b {
		return false, true
	}
	if x, ok := negated(b); ok && x == a {
		return true, true
	}
	x, ok := negated(a)
	return true, ok && x == b
}

// appendArm makes arm i of n that of prev, and what is in the block behind.
func appendArm(rw *rewrite.Rewriter, prev, n ir.Op, i int, behind ir.Block) {
	first := terminator(prev, i)
	n.Region(i).TakeBlocks(prev.Region(i))
	if behind.IsNil() {
		return
	}
	if first.IsNil() { // prev had no else, and so no results
		behind.MoveToEnd(n.Region(i))
		return
	}
	// Inside, what prev yields is what its results were.
	replaceInside(rw, behind, prev, first.Operands())
	last := behind.Terminator()
	rw.InlineBefore(behind, first)
	if yields(last) {
		yieldInstead(rw, last, slices.Concat(first.Operands(), last.Operands()))
	}
	rw.Erase(first)
}

// replaceInside makes what is in a block use values instead of the results of prev.
func replaceInside(rw *rewrite.Rewriter, b ir.Block, prev ir.Op, values []ir.Value) {
	if prev.NumResults() == 0 {
		return
	}
	for op := range b.Ops() {
		op.Walk(func(inner ir.Op) ir.WalkResult {
			for i := range inner.NumOperands() {
				if v := inner.Operand(i); v.DefiningOp() == prev {
					rw.SetOperand(inner, i, values[v.Index()])
				}
			}
			return ir.Advance
		})
	}
}

// ifInIf merges an if whose only content is another if with that: the condition is that both hold.
func ifInIf(op ir.Op, rw *rewrite.Rewriter) bool {
	inner := arm(op, thenArm).First()
	if !inner.Is(If) || !understood(inner) || inner.Next() != terminator(op, thenArm) {
		return false
	}
	for _, o := range []ir.Op{op, inner} {
		if b := arm(o, elseArm); !b.IsNil() && !isOnly(b) || leaves(terminator(o, elseArm)) {
			return false
		}
	}
	outerThen, innerThen := terminator(op, thenArm), terminator(inner, thenArm)
	hasElse := !arm(op, elseArm).IsNil() || !arm(inner, elseArm).IsNil()
	if leaves(outerThen) || leaves(innerThen) && hasElse {
		return false
	}
	// A result is what the inner if yields, and must then be the same when either condition fails; or else it is defined outside, and
	// does not depend on the inner condition.
	yes := outerThen.Operands()
	var no []ir.Value
	if op.NumResults() > 0 {
		no = terminator(op, elseArm).Operands()
	}
	byOuter := make([]bool, len(yes))
	for i, v := range yes {
		switch {
		case v.DefiningOp() == inner:
			if terminator(inner, elseArm).Operand(v.Index()) != no[i] {
				return false
			}
			yes[i] = innerThen.Operand(v.Index())
		case v != no[i] && !selectable(v.Type()):
			return false
		default:
			byOuter[i] = true
		}
	}
	both := rw.Create(AndI, []ir.Value{op.Operand(0), inner.Operand(0)}, []ir.Type{op.Operand(0).Type()}).Result(0)
	n := newIf(rw, op.Loc(), both, op.ResultTypes())
	n.SetDiscardableAttrs(op.DiscardableAttrs())
	rw.SetInsertionPointBefore(n)
	for i := range yes {
		if byOuter[i] {
			rw.ReplaceUses(op.Result(i), newSelect(rw, op.Operand(0), yes[i], no[i]))
		} else {
			rw.ReplaceUses(op.Result(i), n.Result(i))
		}
	}
	n.Region(thenArm).TakeBlocks(inner.Region(thenArm))
	if yields(innerThen) {
		yieldInstead(rw, innerThen, yes)
	}
	if len(no) > 0 {
		n.Region(elseArm).TakeBlocks(op.Region(elseArm))
	}
	rw.Erase(op)
	return true
}
