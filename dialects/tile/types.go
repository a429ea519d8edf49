package tile

import (
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
		elem := p.Type()
		p.Expect(">")
		if p.Failed() {
			return nil
		}
		return l.Ptr(p.Context(), elem)
	case "mem_token":
		return l.Token(p.Context())
	}
	p.Errorf("unknown type '%s' of dialect '%s'", mnemonic, l.Dialect.Name)
	return nil
}

// ElementBytes returns the size in memory of an element type: an i1 takes a byte, a pointer eight.
func ElementBytes(elem ir.Type) int {
	if _, ok := elem.(*PtrType); ok {
		return 8
	}
	return max(1, (ir.BitWidth(elem)+7)/8)
}

// Shape returns the shape of a tensor type; nil for a scalar.
func Shape(t ir.Type) []int64 {
	if tt, ok := t.(*ir.TensorType); ok {
		return tt.Shape
	}
	return nil
}

func is[T ir.Type](t ir.Type) bool { _, ok := t.(T); return ok }

// The constraints of the rows.
var (
	Ptr       = ir.TypeConstraint{Desc: "pointer", Check: is[*PtrType]}
	PtrLike   = ir.TypeConstraint{Desc: "pointer or tensor of pointers", Check: func(t ir.Type) bool { return is[*PtrType](ir.ElementType(t)) }}
	Token     = ir.TypeConstraint{Desc: "memory token", Check: is[*TokenType]}
	Tensor    = ir.TypeConstraint{Desc: "tensor", Check: is[*ir.TensorType]}
	Scalar    = ir.TypeConstraint{Desc: "number or pointer", Check: func(t ir.Type) bool { return isScalar(t) }}
	TileLike  = ir.TypeConstraint{Desc: "scalar or tensor", Check: func(t ir.Type) bool { return isScalar(ir.ElementType(t)) }}
	Int       = ir.TypeConstraint{Desc: "integer", Check: is[*ir.IntegerType]}
	I64       = ir.TypeConstraint{Desc: "i64", Check: func(t ir.Type) bool { return is[*ir.IntegerType](t) && ir.BitWidth(t) == 64 }}
	IntLike   = ir.TypeConstraint{Desc: "integer or tensor of integers", Check: func(t ir.Type) bool { return is[*ir.IntegerType](ir.ElementType(t)) }}
	BoolLike  = ir.TypeConstraint{Desc: "i1 or tensor of i1", Check: func(t ir.Type) bool { return ir.BitWidth(ir.ElementType(t)) == 1 }}
	IntTensor = ir.TypeConstraint{Desc: "tensor of integers", Check: func(t ir.Type) bool {
		return is[*ir.TensorType](t) && is[*ir.IntegerType](ir.ElementType(t))
	}}
)

func isScalar(t ir.Type) bool {
	switch t.(type) {
	case *ir.IntegerType, *ir.FloatType, *PtrType:
		return true
	}
	return false
}
