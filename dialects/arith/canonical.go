package arith

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/ir/rewrite"
)

func init() {
	MulI.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "product-of-product", Rewrite: productOfProduct}}))
}

// productOfProduct multiplies by both constants at once: (x * a) * b is x * (a * b), also where it wraps.
//
// Addresses are made of such chains: a stride in elements becomes one in bytes, which is then multiplied by the distance of rows. With one product of what the kernel was given, an i32 that was extended, an
// address is one multiply-add of 32 bits to 64 for ptxas; of a product of 64 bits it makes two instructions.
func productOfProduct(op ir.Op, rw *rewrite.Rewriter) bool {
	inner := op.Operand(0).DefiningOp()
	if inner.IsNil() || !inner.Is(MulI) {
		return false
	}
	a, b := Splat(ir.ConstantValue(inner.Operand(1))), Splat(ir.ConstantValue(op.Operand(1)))
	if a == nil || b == nil || ir.ConstantValue(inner.Operand(0)) != nil { // products of constants fold
		return false
	}
	t := op.Result(0).Type()
	rw.SetInsertionPointBefore(op)
	by := rw.Create(Constant, nil, []ir.Type{t}, ir.NamedAttr{Name: AttrValue, Value: OfType(FromBits(ir.ElementType(t), Bits(a)*Bits(b)), t)})
	var attrs []ir.NamedAttr
	// What both promise holds for both at once, unless the product of the constants passes the largest number with a sign: of i8, -1 * 16 * 8 is a number, and -1 * -128 is none.
	wraps := numeric.Int(ir.BitWidth(ir.ElementType(t))).MulWraps(Bits(a), Bits(b)).Signed
	if promise := op.StringAttr(AttrOverflow); promise != "" && promise == inner.StringAttr(AttrOverflow) && !wraps {
		attrs = append(attrs, ir.NamedAttr{Name: AttrOverflow, Value: op.Attr(AttrOverflow)})
	}
	rw.ReplaceWithNew(op, MulI, []ir.Value{inner.Operand(0), by.Result(0)}, []ir.Type{t}, attrs...)
	return true
}
