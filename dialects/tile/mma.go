package tile

import "github.com/tilewright/tilewright/ir"

// FieldScales is the operand of an MMA with further operands between the accumulator and the scales: the scales of A
// and B, or none.
const FieldScales = "scales"

// HeldType returns the tensor type of what an operand is or, if it is a buffer of one stage, holds.
func HeldType(v ir.Value) ir.Type {
	if h, ok := v.Type().(Holder); ok {
		return h.HeldTile()
	}
	return v.Type()
}

// OperandType returns the type of what an MMA multiplies of an operand: of bytes that are pairs of f4E2M1FN that of
// those.
func OperandType(op ir.Op, i int) *ir.TensorType {
	a, b := HeldType(op.Operand(0)), HeldType(op.Operand(1))
	a, b = Operands(op, a, b)
	return [2]ir.Type{a, b}[i].(*ir.TensorType)
}

// PerElement returns how many elements of what an MMA multiplies one of its operands holds.
func PerElement(op ir.Op) int {
	if op.HasUnitAttr(AttrPairs) {
		return 2
	}
	return 1
}
