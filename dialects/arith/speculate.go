package arith

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
)

// Division by zero is undefined, and so is the smallest signed number divided by -1. So a division may be speculated
// only if the divisor is known to be neither.
func init() {
	for def, signed := range map[*ir.OpDef]bool{DivSI: true, CeilDivSI: true, FloorDiv: true, RemSI: true, DivUI: false, CeilDivUI: false, RemUI: false} {
		def.Attach(ir.Speculatable.Is(func(op ir.Op) bool { return dividesSafely(op, signed) }))
	}
}

func dividesSafely(op ir.Op, signed bool) bool {
	divisor := ir.ConstantValue(op.Operand(1))
	if i, ok := divisor.(*ir.IntegerAttr); ok {
		return i.Value != 0 && !(signed && i.Value == -1)
	}
	elements, ok := constfold.Read(divisor)
	if !ok {
		return false
	}
	minusOne := ^uint64(0)
	if w := ir.BitWidth(ir.ElementType(divisor.(*ir.DenseElementsAttr).Type())); w < 64 {
		minusOne = 1<<w - 1
	}
	for _, bits := range elements {
		if bits == 0 || signed && bits == minusOne {
			return false
		}
	}
	return true
}

// Divides reports whether an operation divides integers, which takes many instructions.
func Divides(op ir.Op) bool {
	return slices.ContainsFunc([]*ir.OpDef{DivSI, DivUI, RemSI, RemUI, FloorDiv, CeilDivSI, CeilDivUI}, op.Is)
}
