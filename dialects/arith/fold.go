package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/constfold"
)

// Folding computes on scalars, and on tensors whose operands are splats. What it computes is what package constfold
// says, of what the rows say that they compute (constfold.Computes). It leaves alone the elementary functions, which
// are expanded further down.

func init() {
	foldHook = fold
	Dialect.Materialize = materialize
}

// fold folds an element-wise operation: by an identity, or because its operands are constant.
//
// Tensors are folded only if every operand is a splat: a tensor of differing elements would have to be written
// down, and nothing below cuda_tile makes one.
func fold(op ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if r, ok := identity(op, operands); ok {
		return []ir.FoldResult{r}
	}
	in := make([]uint64, len(operands))
	for i, a := range operands {
		scalar := Splat(a)
		if scalar == nil {
			return nil
		}
		in[i] = Bits(scalar)
	}
	if bits, ok := evaluate(op, in); ok {
		return []ir.FoldResult{constant(op, bits)}
	}
	return nil
}

// evaluate computes an operation on the bit patterns of its operands. It reports false when there is nothing that the
// result must be.
func evaluate(op ir.Op, in []uint64) (uint64, bool) {
	if op.Is(CmpF) {
		if bits, ok := comparable(op, in); ok {
			return bits, true
		}
	}
	spec, ok := specOf(op)
	if !ok {
		return 0, false
	}
	return spec.Eval(in...)
}

// specOf says what an operation computes, if its row does.
func specOf(op ir.Op) (constfold.Spec, bool) {
	if computes, ok := constfold.Computes.Of(op); ok {
		return computes(op)
	}
	return constfold.Spec{}, false
}

// Splat returns the scalar that a constant consists of, or nil.
func Splat(a ir.Attribute) ir.Attribute {
	switch a := a.(type) {
	case *ir.IntegerAttr, *ir.FloatAttr:
		return a
	case *ir.DenseElementsAttr:
		t, ok := a.Type().(*ir.TensorType)
		if !ok || !a.IsSplat(t.Elem) {
			return nil
		}
		return FromBits(t.Elem, a.Bits(t.Elem, 0))
	}
	return nil
}

// FromBits returns the scalar constant of an integer or floating-point type with the given bit pattern; nil for
// another type.
func FromBits(t ir.Type, bits uint64) ir.Attribute {
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Context().IntAttr(t, int64(bits))
	case *ir.IndexType:
		return t.Context().IntAttr(t, int64(bits))
	case *ir.FloatType:
		return t.Context().FloatAttr(t, bits)
	}
	return nil
}

// Bits returns the bit pattern of a scalar constant, zero-extended.
func Bits(a ir.Attribute) uint64 {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		return a.Unsigned()
	case *ir.FloatAttr:
		return a.Bits
	}
	return 0
}

// OfType returns the constant of type t (a scalar or tensor type) all of whose elements are the scalar a.
//
// A dense constant of one value keeps one element, whatever the shape.
func OfType(a ir.Attribute, t ir.Type) ir.Attribute {
	tt, ok := t.(*ir.TensorType)
	if !ok {
		return a
	}
	bits := Bits(a)
	data := make([]byte, ir.DenseElemBytes(tt.Elem))
	for i := range data {
		data[i] = byte(bits >> (8 * i))
	}
	return tt.Context().Dense(valueType(tt), data)
}

func materialize(b *ir.Builder, v ir.Attribute, t ir.Type, loc ir.Location) ir.Op {
	if !constantFits(v, t) {
		return ir.Op{}
	}
	st := b.NewState(Constant, loc)
	st.Types = []ir.Type{t}
	st.SetAttr(AttrValue, v)
	return b.Insert(st)
}
