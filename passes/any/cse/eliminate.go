package cse

import (
	"github.com/tilewright/tilewright/ir"
)

// An eliminator works on one operation and what is nested in it.
//
// Each operation is hashed once and compared with those of the same hash: linear in the size of the IR, as long
// as hashes differ.
type eliminator struct {
	dom            *ir.Dominance
	table          *table
	may            func(what string, op ir.Op) bool // passes.Run.May
	merged, erased int
	// orphans are what erased operations used. What is dead among them is erased in the end, and not where its user
	// was: until then the table may have it.
	orphans []ir.Op
}

// region handles the blocks of a region along the dominator tree; blocks that are not reachable are left alone.
//
// An operation is found by what its block dominates only, so a table with scopes is enough, and no test of
// dominance is made for a pair.
func (e *eliminator) region(r ir.Region) {
	if r.Empty() {
		return
	}
	// Dominance means nothing in a graph region: every operation sees every other one. What was met so far is in
	// for it.
	if ir.HasGraphOrder(r) {
		e.table.enter()
		e.block(r.First(), make(map[ir.Op]bool))
		e.table.leave()
		return
	}
	if r.HasOneBlock() {
		e.table.enter()
		e.block(r.First(), nil)
		e.table.leave()
		return
	}
	children := make(map[ir.Block][]ir.Block)
	for _, b := range e.dom.Order(r) {
		if d := e.dom.IDom(b); !d.IsNil() {
			children[d] = append(children[d], b)
		}
	}
	// The tree may be as deep as there are blocks, so the stack is our own: a block, then what says that it is done.
	type visit struct {
		block ir.Block
		done  bool
	}
	stack := []visit{{block: r.First()}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.done {
			e.table.leave()
			continue
		}
		e.table.enter()
		e.block(v.block, nil)
		stack = append(stack, visit{v.block, true})
		below := children[v.block]
		for i := len(below) - 1; i >= 0; i-- {
			stack = append(stack, visit{block: below[i]})
		}
	}
}

// block handles the operations of a block. met is nil, or, in a graph region, takes the operations that were met.
func (e *eliminator) block(b ir.Block, met map[ir.Op]bool) {
	writes := 0 // operations met so far that may write
	for op := range b.Ops() {
		if ir.IsTriviallyDead(op) && e.may("erase-dead", op) {
			e.erase(op)
			continue
		}
		// Before op itself, so that equal regions have become alike by the time that they are compared.
		e.inside(op)
		if op.HasTrait(ir.Terminator) {
			continue
		}
		switch reads, allocates, changes := effects(op); {
		case changes:
			writes++
		case !allocates && op.NumResults() > 0 && canCompare(op):
			e.simplify(op, reads, writes, met)
		}
		if met != nil && !op.Erased() {
			met[op] = true
		}
	}
}

// erase erases a dead operation.
func (e *eliminator) erase(op ir.Op) {
	op.Walk(func(inner ir.Op) ir.WalkResult {
		for i := range inner.NumOperands() {
			if def := inner.Operand(i).DefiningOp(); !def.IsNil() {
				e.orphans = append(e.orphans, def)
			}
		}
		return ir.Advance
	})
	op.Erase()
	e.erased++
}

// bury erases what has died with the operations that used it, as far as that goes.
func (e *eliminator) bury() {
	for len(e.orphans) > 0 {
		op := e.orphans[len(e.orphans)-1]
		e.orphans = e.orphans[:len(e.orphans)-1]
		if !op.Erased() && ir.IsTriviallyDead(op) && e.may("erase-dead", op) {
			e.erase(op)
		}
	}
}

// inside handles the regions of an operation. An isolated one sees nothing of what is outside.
func (e *eliminator) inside(op ir.Op) {
	if op.NumRegions() == 0 {
		return
	}
	outer := e.table
	if op.HasTrait(ir.IsolatedFromAbove) {
		e.table = newTable()
	}
	for i := range op.NumRegions() {
		e.region(op.Region(i))
	}
	e.table = outer
}

// simplify replaces an operation that at most reads by an equal one, or makes it known.
//
// writes is a clock of the block: the number of writes so far. A read whose entry has the same time has seen
// the same memory.
func (e *eliminator) simplify(op ir.Op, reads bool, writes int, met map[ir.Op]bool) {
	// A read is known in its block only: on the way between two blocks lies what the walk along the dominator tree
	// does not see.
	h := hash(op, reads)
	for i := e.table.last[h]; i != 0; i = e.table.entries[i].next { // one, unless hashes happen to be equal
		switch k := &e.table.entries[i]; {
		case reads != k.reads || reads && k.op.Block() != op.Block() || !equal(k.op, op):
		case reads && k.writes != writes:
			k.op, k.writes = op, writes // what was read before the write is no longer of use
			return
		case met != nil && usedBefore(op, met):
			return
		default:
			if e.may("merge", op) {
				e.replace(op, k.op)
			}
			return
		}
	}
	e.table.add(entry{op: op, reads: reads, writes: writes, hash: h})
}

func (e *eliminator) replace(op, by ir.Op) {
	// One location must serve both; any place in the source is better than none.
	if _, unknown := by.Loc().(*ir.UnknownLoc); unknown {
		by.SetLoc(op.Loc())
	}
	op.ReplaceWith(by.Results()...)
	e.merged++
}

// effects reports whether an operation reads, whether it allocates, which keeps it from being merged, and whether it
// may change what later operations read.
//
// A terminator is not asked: block has left before.
func effects(op ir.Op) (reads, allocates, writes bool) {
	if op.HasTrait(ir.Pure) {
		return false, false, false
	}
	ir.Effects(op, func(e ir.Effect) {
		switch e.Kind {
		case ir.Read:
			reads = true
		// Two allocations are two objects, however equal the operations look.
		case ir.Allocate:
			allocates = true
		default:
			writes = true
		}
	})
	return reads, allocates, writes
}

// usedBefore reports whether an operation that was met, and is in the table with its operands, uses op.
func usedBefore(op ir.Op, met map[ir.Op]bool) bool {
	r := op.ParentRegion()
	for i := range op.NumResults() {
		for u := range op.Result(i).Uses() {
			if met[u.Owner().AncestorIn(r)] {
				return true
			}
		}
	}
	return false
}
