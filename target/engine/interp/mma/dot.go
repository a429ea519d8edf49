package mma

import (
	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/dialects/tileas"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/target/engine/interp/core"
	"github.com/tilewright/tilewright/target/engine/interp/values"
)

// dot is an MMA of integers or floats. The instruction chosen for it does not change the result.
func dot(d *core.Decoder, op ir.Op) (core.Action, error) {
	if op.HasUnitAttr(tile.AttrTwoCTAs) {
		return dotOfPair(d, op)
	}
	return dotOfOne(d, op)
}

// dotOfOne is an MMA whose operands this CTA has entirely.
func dotOfOne(d *core.Decoder, op ir.Op) (core.Action, error) {
	a, b := values.ElemOf(op.Operand(0)), values.ElemOf(op.Operand(1))
	if a != b {
		return nil, op.Errorf("cannot be interpreted: multiplies '%s' by '%s'", ir.TypeString(a), ir.TypeString(b))
	}
	_, float := a.(*ir.FloatType)
	if _, acc := values.ElemOf(op.Operand(2)).(*ir.FloatType); acc != float {
		return nil, op.Errorf("cannot be interpreted: adds '%s' to products of '%s'", ir.TypeString(values.ElemOf(op.Operand(2))), ir.TypeString(a))
	}
	if float {
		return mmaF(d, op)
	}
	return mmaI(d, op)
}

// signedOperands reports which operands of an integer MMA are signed.
func signedOperands(op ir.Op) (lhs, rhs bool) {
	if op.Is(cudatile.MmaI) {
		l, r := cudatile.MmaSignednessOf(op)
		return l == cudatile.Signed, r == cudatile.Signed
	}
	return !op.HasUnitAttr(tile.AttrUnsignedA), !op.HasUnitAttr(tile.AttrUnsignedB)
}

// Multiplying decodes an MMA whose operands, result and scales are in the given slots. The decoder's slots of its
// values are replaced meanwhile.
func Multiplying(d *core.Decoder, op ir.Op, a, b, c, out int, scales ...int) (core.Action, error) {
	operands := append([]ir.Value{op.Operand(0), op.Operand(1), op.Operand(2), accumulatorOf(op)}, ScalesOf(op)...)
	defer d.Replace(operands, append([]int{a, b, c, out}, scales...))()
	if len(scales) > 0 {
		return mmaFScaled(d, op)
	}
	return dotOfOne(d, op)
}

// ScalesOf returns the scales of an MMA, or none.
func ScalesOf(op ir.Op) []ir.Value {
	if op.Is(tileas.TMEMDot) {
		return tileas.TMEMScales(op)
	}
	return op.Operands()[3:]
}
