package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The identities of integer arithmetic and of select. None needs an operand to be defined where the operation is not.

// identity returns what an operation is although not all of its operands are constant.
func identity(op ir.Op, operands []ir.Attribute) (ir.FoldResult, bool) {
	switch {
	case op.Is(Select):
		return selectIdentity(op, operands[0])
	case op.Is(Bitcast):
		return operand(op, 0), op.Operand(0).Type() == op.Result(0).Type()
	case len(operands) != 2 || evaluators[op.Def()] == nil:
		return ir.FoldResult{}, false
	case op.Operand(0) == op.Operand(1):
		return withItself(op)
	}
	if c, ok := Splat(operands[1]).(*ir.IntegerAttr); ok {
		return withConstant(op, intOf(c.Type()), c.Unsigned())
	}
	return ir.FoldResult{}, false
}

func operand(op ir.Op, i int) ir.FoldResult { return ir.FoldResult{Value: op.Operand(i)} }

// constant returns the constant of the result's type with the given bit pattern in each element.
func constant(op ir.Op, bits uint64) ir.FoldResult {
	t := op.Result(0).Type()
	return ir.FoldResult{Attr: OfType(FromBits(ir.ElementType(t), bits), t)}
}

// withItself handles op(x, x) of integers.
func withItself(op ir.Op) (ir.FoldResult, bool) {
	switch op.Def() {
	case AndI, OrI, MaxSI, MaxUI, MinSI, MinUI: // x
		return operand(op, 0), true
	case SubI, XOrI: // 0
		return constant(op, 0), true
	case CmpI: // what it is for 0 and 0
		v, ok := compareInts(op, 0, 0)
		return constant(op, v), ok
	}
	return ir.FoldResult{}, false
}

// withConstant handles op(x, c) where the bit pattern of c has w bits.
func withConstant(op ir.Op, w numeric.Int, c uint64) (ir.FoldResult, bool) {
	switch op.Def() {
	case AddI, SubI, XOrI, ShLI, ShRSI, ShRUI: // x + 0
		return operand(op, 0), c == 0
	case OrI: // x | 0, x | ~0
		if c == w.Mask() {
			return operand(op, 1), true
		}
		return operand(op, 0), c == 0
	case AndI: // x & 0, x & ~0
		if c == 0 {
			return operand(op, 1), true
		}
		return operand(op, 0), c == w.Mask()
	case MulI: // x * 0, x * 1
		if c == 0 {
			return operand(op, 1), true
		}
		return operand(op, 0), c == 1
	case DivSI, DivUI, CeilDivSI, CeilDivUI, FloorDiv: // x / 1; as an i1 that is -1, by which only 0 can be divided
		return operand(op, 0), c == 1
	case RemSI, RemUI: // x % 1
		return constant(op, 0), c == 1
	}
	return ir.FoldResult{}, false
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
