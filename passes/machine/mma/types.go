package mma

import (
	"github.com/tilewright/tilewright/dialects/tile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/sm"
)

// elems are the element types of the target's table for those of the IR.
var elems = map[numeric.Format]sm.Elem{numeric.F16: sm.F16, numeric.BF16: sm.BF16, numeric.TF32: sm.TF32, numeric.F32: sm.F32, numeric.F64: sm.F64,
	numeric.F8E4M3FN: sm.E4M3, numeric.F8E5M2: sm.E5M2, numeric.F4E2M1FN: sm.E2M1}

// Elem returns the element type of the target's table, or NoElem.
func Elem(t ir.Type, unsigned bool) sm.Elem {
	switch t := t.(type) {
	case *ir.FloatType:
		return elems[t.Format]
	case *ir.IntegerType:
		switch {
		case t.Width == 32:
			return sm.S32
		case t.Width == 8 && unsigned:
			return sm.U8
		case t.Width == 8:
			return sm.S8
		}
	}
	return sm.NoElem
}

// scaleElems are the types of scales. The instructions take no sign: what a negative scale of f8E4M3FN means is left
// open.
var scaleElems = map[numeric.Format]sm.Elem{numeric.F8E8M0FNU: sm.UE8M0, numeric.F8E4M3FN: sm.UE4M3}

// Types returns the element types of an MMA, and of its scales where it has them.
func Types(op ir.Op) sm.MatrixTypes {
	t := Unscaled(op)
	scales := Scales(op)
	if len(scales) == 0 {
		return t
	}
	if f, ok := ir.ElementType(tile.HeldType(scales[0])).(*ir.FloatType); ok {
		t.Scale.Elem = scaleElems[f.Format] // NoElem, of which there is no instruction
	}
	t.Scale.Block = KExtent(op) / Blocks(op)
	return t
}

// Scales returns the scales of an MMA: those of its two operands, or none.
func Scales(op ir.Op) []ir.Value {
	// An MMA into TMEM has further operands between the accumulator and its scales, so that its row names them.
	if op.Def().OperandField(tile.FieldScales) >= 0 {
		return op.OperandsNamed(tile.FieldScales)
	}
	return op.Operands()[3:]
}

// Scaled reports whether an MMA has scales.
func Scaled(op ir.Op) bool { return len(Scales(op)) > 0 }

// Blocks returns how many scales an MMA has along K for each row and column.
func Blocks(op ir.Op) int {
	shape := tile.HeldType(Scales(op)[0]).(*ir.TensorType).Shape
	return int(shape[len(shape)-1])
}

// Unscaled returns the element types of an MMA without those of its scales.
func Unscaled(op ir.Op) sm.MatrixTypes {
	elem := func(t ir.Type, unsigned bool) sm.Elem { return Elem(ir.ElementType(t), unsigned) }
	return sm.MatrixTypes{
		A: elem(tile.OperandType(op, 0), op.HasUnitAttr(tile.AttrUnsignedA)),
		B: elem(tile.OperandType(op, 1), op.HasUnitAttr(tile.AttrUnsignedB)),
		D: elem(tile.HeldType(op.Operand(2)), false),
	}
}

// KExtent returns the extent of K of an MMA.
func KExtent(op ir.Op) int {
	shape := tile.OperandType(op, 0).Shape
	return int(shape[len(shape)-1])
}
