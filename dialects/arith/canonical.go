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
// Addresses are made of such chains: a stride in elements becomes one in bytes, which is then multiplied by the
// distance of rows. If the chain is one product of an i32 parameter that was extended, ptxas makes one multiply-add of
// 32 bits to 64. Of a product of 64 bits it makes two instructions.
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
	// If both products promise not to wrap, so does the combined one, unless the product of the constants is itself
	// out of range. For i8, -1 * 16 * 8 is in range, and -1 * -128 is not.
	wraps := numeric.Int(ir.BitWidth(ir.ElementType(t))).MulWraps(Bits(a), Bits(b)).Signed
	if promise := op.StringAttr(AttrOverflow); promise != "" && promise == inner.StringAttr(AttrOverflow) && !wraps {
		attrs = append(attrs, ir.NamedAttr{Name: AttrOverflow, Value: op.Attr(AttrOverflow)})
	}
	rw.ReplaceWithNew(op, MulI, []ir.Value{inner.Operand(0), by.Result(0)}, []ir.Type{t}, attrs...)
	return true
}
