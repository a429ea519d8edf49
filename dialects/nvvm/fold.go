package nvvm

import (
	"github.com/tilewright/tilewright/ir"
)

// foldPack: a pack of all parts of one unpack, in order, is the operand of the unpack.
func foldPack(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
	from := op.Operand(0).DefiningOp()
	if from.IsNil() || !isOp(from, "unpack") || from.NumResults() != op.NumOperands() {
		return nil
	}
	for i, v := range op.Operands() {
		if v != from.Result(i) {
			return nil
		}
	}
	return []ir.FoldResult{{Value: from.Operand(0)}}
}

// foldUnpack: unpacking what was packed yields the parts.
func foldUnpack(op ir.Op, _ []ir.Attribute) []ir.FoldResult {
	from := op.Operand(0).DefiningOp()
	if from.IsNil() || !isOp(from, "pack") || from.NumOperands() != op.NumResults() ||
		from.Operand(0).Type() != op.Result(0).Type() {
		return nil
	}
	out := make([]ir.FoldResult, from.NumOperands())
	for i, v := range from.Operands() {
		out[i].Value = v
	}
	return out
}

// isOp compares by name, because the rows refer to the hooks.
func isOp(op ir.Op, name string) bool { return op.Dialect() == Dialect && op.Def().Name == name }

// foldPtrAdd: adding nothing.
func foldPtrAdd(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if a, ok := operands[1].(*ir.IntegerAttr); ok && a.Value == 0 {
		return []ir.FoldResult{{Value: op.Operand(0)}}
	}
	return nil
}
