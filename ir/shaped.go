package ir

// A ShapedType has dimensions and an element type; traits about shapes and element types, and dense constants, work
// on it. Types without it count as scalars: of no shape, and their own element type.
type ShapedType interface {
	Type
	// Dims returns the dimensions, which must not be changed; a negative one is not known.
	Dims() []int64
	ElemType() Type
}

// Dims implements ShapedType.
func (t *TensorType) Dims() []int64 { return t.Shape }

// ElemType implements ShapedType.
func (t *TensorType) ElemType() Type { return t.Elem }

// ShapeOf returns the dimensions of a shaped type, and nil and false for any other.
func ShapeOf(t Type) ([]int64, bool) {
	if s, ok := t.(ShapedType); ok {
		return s.Dims(), true
	}
	return nil, false
}

// ElementType returns the element type of a shaped type and the type itself for anything else.
func ElementType(t Type) Type {
	if s, ok := t.(ShapedType); ok {
		return s.ElemType()
	}
	return t
}
