package arith

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
)

// An Encoding is an attribute that, as the encoding of a tensor type, goes with some shapes only.
type Encoding interface {
	ir.Attribute
	FitsShape(shape []int64) bool
}

// Element returns the element type of a tensor, or t itself. It returns nil for a tensor whose encoding does not fit
// its shape, and for the shaped types of other dialects: the constraints of the rows admit neither.
func Element(t ir.Type) ir.Type {
	tt, ok := t.(*ir.TensorType)
	if !ok {
		if _, shaped := t.(ir.ShapedType); shaped {
			return nil
		}
		return t
	}
	if e, ok := tt.Encoding.(Encoding); ok && !e.FitsShape(tt.Shape) {
		return nil
	}
	return tt.Elem
}

func elementIs(pred func(ir.Type) bool) func(ir.Type) bool {
	return func(t ir.Type) bool { return pred(Element(t)) }
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

// WithElement returns t with its element type replaced: a tensor of the same shape and encoding, or elem itself for a
// scalar.
func WithElement(t, elem ir.Type) ir.Type {
	if tt, ok := t.(*ir.TensorType); ok {
		return tt.Context().Tensor(tt.Shape, elem, tt.Encoding)
	}
	return elem
}

// SameShape reports whether two types agree in all but their element types.
func SameShape(a, b ir.Type) bool {
	x, xs := a.(*ir.TensorType)
	y, ys := b.(*ir.TensorType)
	if !xs || !ys {
		return xs == ys
	}
	return x.Encoding == y.Encoding && slices.Equal(x.Shape, y.Shape)
}
