package arith

import "github.com/tilewright/tilewright/ir"

// NewConstant makes a constant of a type.
func NewConstant(b *ir.Builder, t ir.Type, value ir.Attribute) ir.Value {
	return b.Create(Constant, nil, []ir.Type{t}, ir.NamedAttr{Name: AttrValue, Value: value}).Result(0)
}

// splat makes the constant of a type that has these bits in each element.
func splat(b *ir.Builder, t ir.Type, bits uint64) ir.Value {
	return NewConstant(b, t, OfType(FromBits(ir.ElementType(t), bits), t))
}

// NewInt makes a scalar integer of a type.
func NewInt(b *ir.Builder, t ir.Type, n int64) ir.Value {
	return NewConstant(b, t, b.Context().IntAttr(t, n))
}

// NewI32 creates an integer of 32 bits.
func NewI32(b *ir.Builder, n int64) ir.Value { return NewInt(b, b.Context().Int(32), n) }

// IsInt reports whether a value is the scalar constant n.
func IsInt(v ir.Value, n int64) bool {
	a, ok := ir.ConstantValue(v).(*ir.IntegerAttr)
	return ok && a.Value == n
}

// New creates an operation whose one result has the type of its last operand, such as addi or select.
func New(b *ir.Builder, def *ir.OpDef, operands ...ir.Value) ir.Value {
	return b.Create(def, operands, []ir.Type{operands[len(operands)-1].Type()}).Result(0)
}

// Fold is New, but returns an operand or a constant where the result is known to be that.
func Fold(b *ir.Builder, def *ir.OpDef, operands ...ir.Value) ir.Value {
	if def.HasTrait(ir.Commutative) && ir.ConstantValue(operands[0]) != nil { // folders look for constants on the right
		operands = []ir.Value{operands[1], operands[0]}
	}
	made := New(b, def, operands...)
	if def.Fold == nil {
		return made
	}
	results := def.Fold(made.DefiningOp(), ir.Map(operands, ir.ConstantValue))
	if len(results) == 0 {
		return made
	}
	known := results[0].Value
	if known.IsNil() {
		known = NewConstant(b, made.Type(), results[0].Attr)
	}
	made.DefiningOp().Erase()
	return known
}

// NewCmpI makes a comparison of integers, or of tensors of them element by element.
func NewCmpI(b *ir.Builder, predicate string, lhs, rhs ir.Value) ir.Value {
	return b.Create(CmpI, []ir.Value{lhs, rhs}, []ir.Type{WithElement(lhs.Type(), b.Context().Int(1))}, ir.NamedAttr{Name: AttrPredicate, Value: b.Context().String(predicate)}).Result(0)
}

// NewBool creates a constant of type i1.
func NewBool(b *ir.Builder, yes bool) ir.Value {
	n := int64(0)
	if yes {
		n = -1
	}
	return NewInt(b, b.Context().Int(1), n)
}
