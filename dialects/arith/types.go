package arith

import (
	"github.com/tilewright/tilewright/ir"
)

func elementIs(pred func(ir.Type) bool) func(ir.Type) bool {
	return func(t ir.Type) bool { return pred(ir.ElementType(t)) }
}

func isInt(t ir.Type) bool {
	switch t.(type) {
	case *ir.IntegerType, *ir.IndexType:
		return true
	}
	return false
}

func isFloat(t ir.Type) bool { _, ok := t.(*ir.FloatType); return ok }

func isBool(t ir.Type) bool { return isInt(t) && ir.BitWidth(t) == 1 }

// The constraints of the rows: a scalar or a tensor of such elements.
var (
	IntLike    = ir.TypeConstraint{Desc: "integer or tensor of integers", Check: elementIs(isInt)}
	FloatLike  = ir.TypeConstraint{Desc: "floating-point or tensor of floating-point", Check: elementIs(isFloat)}
	BoolLike   = ir.TypeConstraint{Desc: "i1 or tensor of i1", Check: elementIs(isBool)}
	NumberLike = ir.TypeConstraint{Desc: "number or tensor of numbers", Check: elementIs(func(t ir.Type) bool {
		return isInt(t) || isFloat(t)
	})}
)

// WithElement returns t with its element type replaced: a tensor of the same shape and encoding, or elem itself for a scalar.
func WithElement(t, elem ir.Type) ir.Type {
	if tt, ok := t.(*ir.TensorType); ok {
		return tt.Context().Tensor(tt.Shape, elem, tt.Encoding)
	}
	return elem
}

// SameShape reports whether two types agree in all but their element types.
func SameShape(a, b ir.Type) bool { return WithElement(a, ir.ElementType(b)) == b }
