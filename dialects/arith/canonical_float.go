package arith

import (
	"slices"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/ir/rewrite"
)

func init() {
	MulF.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{
		{Name: "product-of-negative", Rewrite: productOfNegative},
		{Name: "product-with-one", Rewrite: productWithOne},
	}))
}

// factor returns the second operand of a product, where all of its elements are one constant.
func factor(op ir.Op) (f numeric.Format, bits uint64, ok bool) {
	c := Splat(ir.ConstantValue(op.Operand(1)))
	t, isFloat := ir.ElementType(op.Result(0).Type()).(*ir.FloatType)
	if c == nil || !isFloat {
		return f, 0, false
	}
	return t.Format, Bits(c), true
}

// productOfNegative moves a sign into the constant: (-x) * c is x * (-c), which rounds the same number.
func productOfNegative(op ir.Op, rw *rewrite.Rewriter) bool {
	neg := op.Operand(0).DefiningOp()
	f, c, ok := factor(op)
	if !ok || neg.IsNil() || !neg.Is(NegF) || f.Neg(c) == c || ir.ConstantValue(neg.Operand(0)) != nil {
		return false
	}
	t := op.Result(0).Type()
	rw.SetInsertionPointBefore(op)
	by := splat(rw.Builder, t, f.Neg(c))
	rw.ReplaceWithNew(op, MulF, []ir.Value{neg.Operand(0), by}, []ir.Type{t}, op.InherentAttrs()...)
	return true
}

// productWithOne leaves out a multiplication by 1 where only arithmetic uses it.
//
// The product is x, but for a NaN, which it makes the canonical one. Arithmetic does that itself.
func productWithOne(op ir.Op, rw *rewrite.Rewriter) bool {
	f, c, ok := factor(op)
	if !ok || c != f.FromInt(32, 1, true, numeric.Env{}) || op.HasUnitAttr(AttrFtz) {
		return false
	}
	for u := range op.Result(0).Uses() {
		if !slices.Contains([]*ir.OpDef{AddF, SubF, MulF, Fma}, u.Owner().Def()) {
			return false
		}
	}
	rw.Replace(op, op.Operand(0))
	return true
}
