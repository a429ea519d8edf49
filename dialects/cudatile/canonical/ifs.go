package canonical

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/rewrite"
)

// maxMergedResults bounds the results of an if that is made of several. Every pattern of an if looks at all its
// results each time that one changes. Without a bound a text of very many small ifs would take time quadratic in its
// length.
const maxMergedResults = 256

// ifBehindIf merges an if, and those that follow, with the one directly before it, when they have the same condition
// or its negation. A run of ifs is merged at once: one after the other, each would cost as much as all before it.
// MLIR's CombineIfs merges two. It is correct because they are neighbours: no effect between them could be reordered.
//
//	%r = if %c { A; yield %x } else { B; yield %y }            %r = if %c { A; C(%x); yield %x }
//	if %c { C(%r) }                                      ->         else { B; D(%y); yield %y }
//	if not %c { D(%r) }
//
// Inside, the result of an earlier one is what the same arm of it yields, since the condition is the same.
func ifBehindIf(op ir.Op, rw *rewrite.Rewriter) bool {
	head := op.Prev()
	if head.IsNil() || !head.Is(cudatile.If) || !understood(head) {
		return false
	}
	m := merging{rw: rw, cond: head.Operand(0), offset: make(map[ir.Op]int)}
	m.take(head)
	for next := op; m.admits(next); next = next.Next() {
		m.take(next)
	}
	if len(m.run) == 1 {
		return false
	}
	m.merge()
	return true
}

// A merging makes one if of several that follow each other.
type merging struct {
	rw     *rewrite.Rewriter
	cond   ir.Value
	run    []ir.Op
	offset map[ir.Op]int // of each one's results among all
	types  []ir.Type
	left   [2]bool       // the arm leaves: what follows it is not reached
	values [2][]ir.Value // what each arm yields as the results so far
}

// source returns the block of an if that goes into arm i.
func (m *merging) source(op ir.Op, i int) ir.Block {
	if swapped, _ := related(m.cond, op.Operand(0)); swapped {
		i = 1 - i
	}
	return arm(op, i)
}

// admits reports whether an operation can be the next of the run.
func (m *merging) admits(op ir.Op) bool {
	if op.IsNil() || !op.Is(cudatile.If) || !understood(op) || len(m.types)+op.NumResults() > maxMergedResults {
		return false
	}
	if _, ok := related(m.cond, op.Operand(0)); !ok {
		return false
	}
	// Else nothing of it would be reached in the merged if.
	return !m.left[0] && !m.source(op, 0).IsNil() || !m.left[1] && !m.source(op, 1).IsNil()
}

// take adds an if to the run.
func (m *merging) take(op ir.Op) {
	m.run = append(m.run, op)
	m.offset[op] = len(m.types)
	m.types = append(m.types, op.ResultTypes()...)
	for i := range m.left {
		if b := m.source(op, i); !b.IsNil() && leaves(b.Terminator()) {
			m.left[i] = true
		}
	}
}

func (m *merging) merge() {
	head := m.run[0]
	// Discardable attributes are dropped: a hint on one of the run need not hold for the others.
	n := newIf(m.rw, head.Loc(), m.cond, m.types)
	for i := range m.left {
		m.fill(n.Region(i), i)
	}
	for _, op := range m.run {
		for k := range op.NumResults() {
			m.rw.ReplaceUses(op.Result(k), n.Result(m.offset[op]+k))
		}
	}
	// Backwards, because a later one may use results of an earlier one.
	for k := len(m.run) - 1; k >= 0; k-- {
		m.rw.Erase(m.run[k])
	}
}

// fill moves arm i of all into a region.
func (m *merging) fill(to ir.Region, i int) {
	var end ir.Op // the terminator of what is there
	for _, op := range m.run {
		b := m.source(op, i)
		// Without an else there are no results (verifyIf), so that what is in values stays in step with offset.
		if b.IsNil() {
			continue
		}
		m.replaceInside(b, i)
		last := b.Terminator()
		if end.IsNil() {
			b.MoveToEnd(to)
		} else {
			m.rw.InlineBefore(b, end)
			m.rw.Erase(end)
		}
		// What later ones have in this arm is never reached. It is erased with them.
		if end = last; leaves(end) {
			return
		}
		m.values[i] = append(m.values[i], last.Operands()...)
	}
	if !end.IsNil() {
		yieldInstead(m.rw, end, m.values[i])
	}
}

// replaceInside makes what is in a block use what arm i yields instead of the results of those before.
func (m *merging) replaceInside(b ir.Block, i int) {
	if len(m.values[i]) == 0 {
		return
	}
	for op := range b.Ops() {
		op.Walk(func(inner ir.Op) ir.WalkResult {
			for k := range inner.NumOperands() {
				v := inner.Operand(k)
				if first, ok := m.offset[v.DefiningOp()]; ok {
					m.rw.SetOperand(inner, k, m.values[i][first+v.Index()])
				}
			}
			return ir.Advance
		})
	}
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

// ifInIf merges an if whose only content is another if with that: the condition is that both hold. The inner if is the
// first operation of the arm, so its condition stands outside and the conjunction computes nothing new.
//
//	if %c { if %d { A } }                             ->   if (andi %c, %d) { A }
//	%r = if %c {                                      ->   %r = if (andi %c, %d) { A; yield %x } else { yield %y }
//	  %s = if %d { A; yield %x } else { yield %y }
//	  yield %s
//	} else { yield %y }
func ifInIf(op ir.Op, rw *rewrite.Rewriter) bool {
	inner := arm(op, thenArm).First()
	if !inner.Is(cudatile.If) || !understood(inner) || inner.Next() != terminator(op, thenArm) {
		return false
	}
	for _, o := range []ir.Op{op, inner} {
		if b := arm(o, elseArm); !b.IsNil() && !isOnly(b) || leaves(terminator(o, elseArm)) {
			return false
		}
	}
	outerThen, innerThen := terminator(op, thenArm), terminator(inner, thenArm)
	hasElse := !arm(op, elseArm).IsNil() || !arm(inner, elseArm).IsNil()
	// An inner arm that leaves is allowed without an else: when either condition fails, control continues after the
	// outer if in any case.
	if leaves(outerThen) || leaves(innerThen) && hasElse {
		return false
	}
	// If the inner if yields a result, the result must be the same when either condition fails. Otherwise the result
	// must be defined outside, and not depend on the inner condition.
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
	both := rw.Create(cudatile.AndI, []ir.Value{op.Operand(0), inner.Operand(0)}, []ir.Type{op.Operand(0).Type()}).Result(0)
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
