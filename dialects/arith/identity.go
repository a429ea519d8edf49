package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
)

// identity returns what an operation is although not all of its operands are constant: by package constfold, or
// because it is a select or bitcast.
//
// For instance x + 0, x * 1, x & x and x - x: which of them hold for floats, and with which signs of zero,
// package constfold says.
func identity(op ir.Op, operands []ir.Attribute) (ir.FoldResult, bool) {
	switch {
	case op.Is(Select):
		return selectIdentity(op, operands[0])
	case op.Is(Bitcast):
		return operand(op, 0), op.Operand(0).Type() == op.Result(0).Type()
	case len(operands) != 2:
		return ir.FoldResult{}, false
	}
	known := constfold.Known{Same: op.Operand(0) == op.Operand(1)}
	if c := Splat(operands[1]); c != nil {
		known.Right, known.Bits = true, Bits(c)
	}
	if !known.Same && !known.Right {
		return ir.FoldResult{}, false
	}
	spec, ok := specOf(op)
	if !ok {
		return ir.FoldResult{}, false
	}
	is, ok := spec.Identity(known)
	if is.IsConst {
		return constant(op, is.Bits), ok
	}
	return operand(op, is.Operand), ok
}

func operand(op ir.Op, i int) ir.FoldResult { return ir.FoldResult{Value: op.Operand(i)} }

// constant returns the constant of the result's type with the given bit pattern in each element.
func constant(op ir.Op, bits uint64) ir.FoldResult {
	t := op.Result(0).Type()
	return ir.FoldResult{Attr: OfType(FromBits(ir.ElementType(t), bits), t)}
}

// selectIdentity handles select(c, x, x), select(true, x, y), select(false, x, y) and select(c, true, false).
func selectIdentity(op ir.Op, condition ir.Attribute) (ir.FoldResult, bool) {
	if op.Operand(1) == op.Operand(2) {
		return operand(op, 1), true
	}
	if c := Splat(condition); c != nil {
		if Bits(c) != 0 {
			return operand(op, 1), true
		}
		return operand(op, 2), true
	}
	if op.Operand(0).Type() != op.Result(0).Type() {
		return ir.FoldResult{}, false
	}
	yes, no := Splat(ir.ConstantValue(op.Operand(1))), Splat(ir.ConstantValue(op.Operand(2)))
	return operand(op, 0), yes != nil && no != nil && Bits(yes) == 1 && Bits(no) == 0
}
