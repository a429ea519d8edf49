package plants

import "github.com/tilewright/tilewright/ir"

// First returns the first operation of a row inside op, or a zero Op.
func First(op ir.Op, def *ir.OpDef) ir.Op {
	return FirstWhere(op, def, func(ir.Op) bool { return true })
}

// FirstWhere returns the first operation of a row inside op that satisfies a condition, or a zero Op.
func FirstWhere(op ir.Op, def *ir.OpDef, cond func(ir.Op) bool) (found ir.Op) {
	op.Walk(func(o ir.Op) ir.WalkResult {
		if o.Is(def) && cond(o) {
			found = o
			return ir.Interrupt
		}
		return ir.Advance
	})
	return found
}

// All returns the operations of a row inside op.
func All(op ir.Op, def *ir.OpDef) (all []ir.Op) {
	op.Walk(func(o ir.Op) ir.WalkResult {
		if o.Is(def) {
			all = append(all, o)
		}
		return ir.Advance
	})
	return all
}

// Nth returns the n-th operation of a row inside op, a zero Op if there are fewer.
func Nth(op ir.Op, def *ir.OpDef, n int) ir.Op {
	return FirstWhere(op, def, func(ir.Op) bool { n--; return n < 0 })
}

// Raise adds to a number that an operation has.
func Raise(op ir.Op, attr string, by int64) bool {
	if op.IsNil() {
		return false
	}
	n, _ := op.IntAttr(attr)
	op.SetAttr(attr, op.Context().IntAttr(op.Context().Int(32), n+by))
	return true
}

// Drop erases an operation; what takes its results takes its operands.
func Drop(op ir.Op) bool {
	if op.IsNil() {
		return false
	}
	for i, r := range op.Results() {
		r.ReplaceAllUsesWith(op.Operand(i))
	}
	op.Erase()
	return true
}

// Raised is Raise of an operation that is found later.
func Raised(attr string, by int64) func(ir.Op) bool {
	return func(op ir.Op) bool { return Raise(op, attr, by) }
}

// on damages the operation that find returns.
func on(find func(fn ir.Op) ir.Op, damage func(op ir.Op) bool) func(ir.Op) bool {
	return func(fn ir.Op) bool {
		op := find(fn)
		return !op.IsNil() && damage(op)
	}
}

// first damages the first operation of a row.
func first(def *ir.OpDef, damage func(op ir.Op) bool) func(ir.Op) bool {
	return on(func(fn ir.Op) ir.Op { return First(fn, def) }, damage)
}
