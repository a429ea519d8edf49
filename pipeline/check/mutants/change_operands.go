package mutants

import (
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// swapOperands exchanges two operands of one type.
func swapOperands(m *mutator) bool {
	return swapSome(m, func(op ir.Op) bool { return op.NumOperands() > 1 })
}

// swapCarried exchanges two values that a terminator or a loop passes on.
func swapCarried(m *mutator) bool {
	return swapSome(m, func(op ir.Op) bool {
		return op.NumOperands() > 1 && (op.HasTrait(ir.Terminator) || op.NumRegions() > 0)
	})
}

func swapSome(m *mutator, ok func(ir.Op) bool) bool {
	op, found := m.op(ok)
	if !found {
		return false
	}
	i, j := m.IntN(op.NumOperands()), m.IntN(op.NumOperands())
	a, b := op.Operand(i), op.Operand(j)
	if a == b || a.Type() != b.Type() {
		return false
	}
	op.SetOperand(i, b)
	op.SetOperand(j, a)
	return true
}

// swapResults exchanges the uses of two results of one type of an operation, or of two arguments of a block.
func swapResults(m *mutator) bool {
	a, ok := pick(m, m.values)
	if !ok {
		return false
	}
	all := a.Block().Args()
	if !a.IsBlockArg() {
		all = a.DefiningOp().Results()
	}
	b, ok := pick(m, all)
	if !ok || a == b || a.Type() != b.Type() {
		return false
	}
	var ofA, ofB []ir.Use
	for u := range a.Uses() {
		ofA = append(ofA, u)
	}
	for u := range b.Uses() {
		ofB = append(ofB, u)
	}
	for _, u := range ofA {
		u.Set(b)
	}
	for _, u := range ofB {
		u.Set(a)
	}
	return len(ofA)+len(ofB) > 0
}

// replaceOperand lets an operation use another value of the same type.
func replaceOperand(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool { return op.NumOperands() > 0 })
	if !ok {
		return false
	}
	i := m.IntN(op.NumOperands())
	v, ok := pick(m, m.visible(op, op.Operand(i).Type(), op.Operand(i)))
	if ok {
		op.SetOperand(i, v)
	}
	return ok
}

func dropOperand(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool { return op.NumOperands() > 0 })
	if !ok {
		return false
	}
	i := m.IntN(op.NumOperands())
	op.SetOperands(slices.Delete(slices.Clone(op.Operands()), i, i+1))
	return true
}

func addOperand(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool { return op.NumOperands() > 0 })
	if !ok {
		return false
	}
	i := m.IntN(op.NumOperands())
	op.SetOperands(slices.Insert(slices.Clone(op.Operands()), i, op.Operand(m.IntN(op.NumOperands()))))
	return true
}

// chooseBetween replaces a use of a value by a choice between it and another one of its type, as canonicalisation
// makes of an if. Tokens, buffers, tensors and pointers are values like others to whoever writes IR.
func chooseBetween(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool { return op.NumOperands() > 0 && inner(op) })
	if !ok {
		return false
	}
	i := m.IntN(op.NumOperands())
	v := op.Operand(i)
	other, ok := pick(m, m.visible(op, v.Type(), v))
	if !ok {
		return false
	}
	b := ir.BuilderBefore(op)
	i1 := op.Context().Int(1)
	cond, ok := pick(m, m.visible(op, i1, v))
	if !ok || m.IntN(3) == 0 {
		cond = arith.NewInt(b, i1, int64(m.IntN(2)))
	}
	op.SetOperand(i, b.Create(arith.Select, []ir.Value{cond, v, other}, []ir.Type{v.Type()}).Result(0))
	return true
}

// dropArgument takes an argument, or an operand of the terminator, of a block with arguments away.
func dropArgument(m *mutator) bool {
	op, ok := m.op(func(op ir.Op) bool { return op.NumRegions() > 0 && inner(op) && !op.Region(0).Empty() })
	if !ok {
		return false
	}
	b := op.Region(0).First()
	if b.NumArgs() == 0 || b.Arg(b.NumArgs()-1).HasUses() {
		return false
	}
	b.EraseArg(b.NumArgs() - 1)
	return true
}
