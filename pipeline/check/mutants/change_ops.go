package mutants

import "github.com/tilewright/tilewright/ir"

// deleteOperation takes an operation away. What used its results uses other values of their types.
func deleteOperation(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool { return inner(op) })
	if !ok {
		return false
	}
	stand := make([]ir.Value, op.NumResults())
	for i, r := range op.Results() {
		if !r.HasUses() {
			continue
		}
		for _, v := range op.Operands() { // most like it
			if v.Type() == r.Type() {
				stand[i] = v
			}
		}
		if stand[i].IsNil() {
			if stand[i], ok = pick(m, m.visible(op, r.Type(), r)); !ok {
				return false
			}
		}
	}
	for i, r := range op.Results() {
		if r.HasUses() {
			r.ReplaceAllUsesWith(stand[i])
		}
	}
	op.Erase()
	return true
}

// duplicateOperation does something twice. Some of those who used the first result use the second.
func duplicateOperation(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool { return inner(op) && op.NumRegions() == 0 || m.IntN(8) == 0 && inner(op) })
	if !ok {
		return false
	}
	again := ir.BuilderAfter(op).Clone(op, ir.NewMapping())
	for i, r := range op.Results() {
		r.ReplaceUsesIf(again.Result(i), func(u ir.Use) bool { return u.Owner() != again && m.IntN(2) == 0 })
	}
	return true
}

// moveOperation puts an operation elsewhere into its block, most often beside its neighbour.
func moveOperation(m *mutator) bool {
	op, ok := m.op(inner)
	if !ok {
		return false
	}
	to := op
	for n := 1 + m.IntN(6)*m.IntN(3); n > 0; n-- {
		if next := to.Next(); !next.IsNil() && !next.HasTrait(ir.Terminator) {
			to = next
		}
	}
	switch {
	case to != op && m.IntN(2) == 0:
		op.MoveAfter(to)
	case to != op:
		to.MoveBefore(op)
	default:
		return false
	}
	return true
}

// hoistOperation moves an operation before the one around it.
func hoistOperation(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool { return inner(op) && !op.ParentOp().HasTrait(ir.IsolatedFromAbove) })
	if ok {
		op.MoveBefore(op.ParentOp())
	}
	return ok
}

// sinkOperation moves an operation into a region after it.
func sinkOperation(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool {
		return inner(op) && !op.Next().IsNil() && op.Next().NumRegions() > 0 && !op.Next().HasTrait(ir.IsolatedFromAbove)
	})
	if !ok {
		return false
	}
	next := op.Next()
	r := next.Region(m.IntN(next.NumRegions()))
	if r.Empty() || r.First().Empty() {
		return false
	}
	op.MoveBefore(r.First().First())
	return true
}
