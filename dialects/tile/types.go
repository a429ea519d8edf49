package tile

import (
	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// PtrType is a pointer to an element in global memory.
type PtrType struct {
	ir.TypeBase
	Pointee ir.Type
}

// TokenType orders memory operations.
type TokenType struct{ ir.TypeBase }

type (
	ptrKey struct {
		d       *ir.Dialect
		pointee ir.Type
	}
	tokenKey struct{ d *ir.Dialect }
)

// Ptr returns the pointer type of the level.
func (l *Level) Ptr(c *ir.Context, pointee ir.Type) *PtrType {
	return ir.UniqueType(c, l.Dialect, ptrKey{l.Dialect, pointee}, func() *PtrType { return &PtrType{Pointee: pointee} })
}

// Token returns the token type of the level.
func (l *Level) Token(c *ir.Context) *TokenType {
	return ir.UniqueType(c, l.Dialect, tokenKey{l.Dialect}, func() *TokenType { return &TokenType{} })
}

// PrintType implements ir.Type.
func (t *PtrType) PrintType(p ir.AsmPrinter) {
	p.Str("ptr<")
	p.Type(t.Pointee)
	p.Str(">")
}

// PrintType implements ir.Type.
func (*TokenType) PrintType(p ir.AsmPrinter) { p.Str("mem_token") }

func (l *Level) parseType(p ir.AsmParser, mnemonic string) ir.Type {
	switch mnemonic {
	case "ptr":
		p.Expect("<")
		pos := p.Pos()
		elem := p.Type()
		p.Expect(">")
		if p.Failed() {
			return nil
		}
		if !isScalar(elem) {
			p.ErrorAt(pos, "a pointer must point to a number or pointer, but got '%s'", ir.TypeString(elem))
			return nil
		}
		return l.Ptr(p.Context(), elem)
	case "mem_token":
		return l.Token(p.Context())
	}
	return nil // the parser reports what is unknown
}

// IsHalf reports whether elements of a type take half a byte in global memory: two lie in a byte, the first in its
// lower half. Everywhere else, in registers and in buffers, each takes a byte.
func IsHalf(elem ir.Type) bool { return ir.BitWidth(elem) == 4 }

// ElementBytes returns the size of an element type, in bytes: an i1 takes one, a pointer eight. In global memory
// elements of half a byte take less; see [IsHalf].
func ElementBytes(elem ir.Type) int {
	if _, ok := elem.(*PtrType); ok {
		return 8
	}
	return max(1, (ir.BitWidth(elem)+7)/8)
}

// Bytes returns the bytes of a tensor's elements, or of a scalar.
func Bytes(t ir.Type) int64 {
	n := int64(ElementBytes(ir.ElementType(t)))
	for _, d := range Shape(t) {
		n *= d
	}
	return n
}

// Shape returns the shape of a tensor type; nil for a scalar.
func Shape(t ir.Type) []int64 {
	if tt, ok := t.(*ir.TensorType); ok {
		return tt.Shape
	}
	return nil
}

func is[T ir.Type](t ir.Type) bool { _, ok := t.(T); return ok }

// scalarOr is the constraint that a type is what check admits, or a tensor of it. A tile of rank 0 is no tensor.
func scalarOr(desc string, check func(ir.Type) bool) ir.TypeConstraint {
	return ir.TypeConstraint{Desc: desc, Check: func(t ir.Type) bool {
		if tt, ok := t.(*ir.TensorType); ok && len(tt.Shape) == 0 {
			return false
		}
		return check(arith.Element(t))
	}}
}

// tensorOf is the constraint that a type is a tensor of what check admits.
func tensorOf(desc string, check func(ir.Type) bool) ir.TypeConstraint {
	return ir.TypeConstraint{Desc: desc, Check: func(t ir.Type) bool { return len(Shape(t)) > 0 && check(arith.Element(t)) }}
}

func isInt(width int) func(ir.Type) bool {
	return func(t ir.Type) bool { return is[*ir.IntegerType](t) && ir.BitWidth(t) == width }
}

// The constraints of the rows.
var (
	Ptr       = ir.TypeConstraint{Desc: "pointer", Check: is[*PtrType]}
	PtrLike   = scalarOr("pointer or tensor of pointers", is[*PtrType])
	Token     = ir.TypeConstraint{Desc: "memory token", Check: is[*TokenType]}
	Tensor    = tensorOf("tensor", isScalar)
	Scalar    = ir.TypeConstraint{Desc: "number or pointer", Check: isScalar}
	TileLike  = scalarOr("scalar or tensor", isScalar)
	Int       = ir.TypeConstraint{Desc: "integer", Check: is[*ir.IntegerType]}
	I32       = ir.TypeConstraint{Desc: "i32", Check: isInt(32)}
	I64       = ir.TypeConstraint{Desc: "i64", Check: isInt(64)}
	IntLike   = scalarOr("integer or tensor of integers", is[*ir.IntegerType])
	Bool      = ir.TypeConstraint{Desc: "i1", Check: isInt(1)}
	BoolLike  = scalarOr("i1 or tensor of i1", isInt(1))
	IntTensor = tensorOf("tensor of integers", is[*ir.IntegerType])
)

func isScalar(t ir.Type) bool {
	switch t.(type) {
	case *ir.IntegerType, *ir.FloatType, *PtrType:
		return true
	}
	return false
}
