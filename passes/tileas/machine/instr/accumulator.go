package instr

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/linear"
)

// AccumulatorBuffer returns the type of a buffer in TMEM for an accumulator.
func AccumulatorBuffer(t *ir.TensorType) (*tileas.BufferType, error) {
	cells, err := linear.TMEMCells(linear.Ints(t.Shape))
	if err != nil {
		return nil, err
	}
	c := t.Context()
	return tileas.TMEMBuffer(c, t.Shape, t.Elem, tileas.SharedLayout(c, cells)), nil
}

// IsZero reports whether an accumulator begins at zero.
func IsZero(v ir.Value) bool {
	if def := v.DefiningOp(); !def.IsNil() && def.Is(tileas.Level.Splat) {
		a, ok := ir.ConstantValue(def.Operand(0)).(ir.TypedAttribute)
		return ok && arith.Bits(a) == 0
	}
	dense, ok := ir.ConstantValue(v).(*ir.DenseElementsAttr)
	elem := ir.ElementType(v.Type())
	return ok && dense.IsSplat(elem) && dense.Bits(elem, 0) == 0
}
