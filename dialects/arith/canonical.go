package arith

import (
	"math/bits"

	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/ir/rewrite"
)

func init() {
	MulI.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{{Name: "product-of-product", Rewrite: productOfProduct}}))
	AndI.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{
		{Name: "mask-of-mask", Rewrite: maskOfMask},
		{Name: "negative-not-zero", Rewrite: negativeNotZero},
		{Name: "mask-of-multiple", Rewrite: maskOfMultiple},
		{Name: "mask-of-shift", Rewrite: maskOfShift},
		{Name: "range-test", Rewrite: rangeTest},
	}))
	CmpI.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{
		{Name: "compare-extended", Rewrite: compareExtended},
		{Name: "compare-with-zero", Rewrite: compareWithZero},
		{Name: "compare-with-choice", Rewrite: compareWithChoice},
		{Name: "compare-field", Rewrite: compareField},
	}))
	Select.Attach(rewrite.Canonicalizers.Is([]rewrite.Pattern{
		{Name: "floor-remainder", Rewrite: floorRemainder},
		{Name: "choice-of-choice", Rewrite: choiceOfChoice},
	}))
}

// choiceOfChoice leaves out a choice by a condition that is known there: c ? x : (c ? y : z) is c ? x : z.
func choiceOfChoice(op ir.Op, rw *rewrite.Rewriter) bool {
	operands := op.Operands()
	for i, v := range operands[1:] {
		if inner := v.DefiningOp(); !inner.IsNil() && inner.Is(Select) && inner.Operand(0) == operands[0] {
			operands[i+1] = inner.Operand(i + 1)
			rw.ReplaceWithNew(op, Select, operands, op.ResultTypes())
			return true
		}
	}
	return false
}

// maskOfMask masks by both constants at once: (x & a) & b is x & (a & b).
func maskOfMask(op ir.Op, rw *rewrite.Rewriter) bool {
	inner := op.Operand(0).DefiningOp()
	if inner.IsNil() || !inner.Is(AndI) {
		return false
	}
	a, b := Splat(ir.ConstantValue(inner.Operand(1))), Splat(ir.ConstantValue(op.Operand(1)))
	if a == nil || b == nil || ir.ConstantValue(inner.Operand(0)) != nil {
		return false
	}
	t := op.Result(0).Type()
	rw.SetInsertionPointBefore(op)
	rw.ReplaceWithNew(op, AndI, []ir.Value{inner.Operand(0), splat(rw.Builder, t, Bits(a)&Bits(b))}, []ir.Type{t})
	return true
}

// maskOfMultiple leaves out what does not reach the bits that a mask keeps: (x + 256*y) & 7 is x & 7.
func maskOfMultiple(op ir.Op, rw *rewrite.Rewriter) bool {
	sum, mask := op.Operand(0).DefiningOp(), Splat(ir.ConstantValue(op.Operand(1)))
	if sum.IsNil() || mask == nil || !sum.Is(AddI) && !sum.Is(OrI) {
		return false
	}
	for i := range 2 {
		if bits.Len64(Bits(mask)) <= trailingZeros(sum.Operand(i), maxMultiples) {
			rw.ReplaceWithNew(op, AndI, []ir.Value{sum.Operand(1 - i), op.Operand(1)}, []ir.Type{op.Result(0).Type()})
			return true
		}
	}
	return false
}

// maxMultiples bounds how many operations are looked at behind a multiple.
const maxMultiples = 4

// trailingZeros returns how many low bits of a value are surely zero.
func trailingZeros(v ir.Value, links int) int {
	if c := Splat(ir.ConstantValue(v)); c != nil {
		return bits.TrailingZeros64(Bits(c))
	}
	def := v.DefiningOp()
	if def.IsNil() || links == 0 {
		return 0
	}
	of := func(i int) int { return trailingZeros(def.Operand(i), links-1) }
	switch {
	case def.Is(MulI):
		return of(0) + of(1)
	case def.Is(AddI), def.Is(OrI), def.Is(SubI):
		return min(of(0), of(1))
	case def.Is(AndI):
		return max(of(0), of(1))
	case def.Is(ExtSI), def.Is(ExtUI), def.Is(TruncI):
		return of(0)
	case def.Is(ShLI):
		if by := Splat(ir.ConstantValue(def.Operand(1))); by != nil {
			return of(0) + int(min(Bits(by), 64))
		}
	}
	return 0
}

// negativeNotZero leaves out x != 0 beside x < 0.
func negativeNotZero(op ir.Op, rw *rewrite.Rewriter) bool {
	for i := range 2 {
		x, less := comparedToZero(op.Operand(i), "slt")
		y, other := comparedToZero(op.Operand(1-i), "ne")
		if less && other && x == y {
			rw.Replace(op, op.Operand(i))
			return true
		}
	}
	return false
}

// rangeTest tests both ends of a range at once: a negative number is a large one without sign.
//
//	(x >= 0) & (x < 8)      ->      x <u 8          (%c & (x >= 0)) & (x < 8)      ->      %c & (x <u 8)
//
// A convolution tests each element of its window so, along each dimension.
func rangeTest(op ir.Op, rw *rewrite.Rewriter) bool {
	for i := range 2 {
		end, other := op.Operand(i), op.Operand(1-i)
		if by := rangeEnds(end, other); by != "" {
			rw.ReplaceWithNew(op, CmpI, rangeOperands(end, other), op.ResultTypes(), ir.NamedAttr{Name: AttrPredicate, Value: op.Context().String(by)})
			return true
		}
		// One link further, as front ends chain tests. If something else reads the inner conjunction, it stays.
		inner := other.DefiningOp()
		if inner.IsNil() || !inner.Is(AndI) || !other.HasOneUse() {
			continue
		}
		for k := range 2 {
			if by := rangeEnds(end, inner.Operand(k)); by != "" {
				rw.SetInsertionPointBefore(op)
				both := rw.Create(CmpI, rangeOperands(end, inner.Operand(k)), op.ResultTypes(), ir.NamedAttr{Name: AttrPredicate, Value: op.Context().String(by)})
				rw.ReplaceWithNew(op, AndI, []ir.Value{inner.Operand(1 - k), both.Result(0)}, op.ResultTypes())
				return true
			}
		}
	}
	return false
}

// rangeEnds returns the predicate that tests for both: that a number is below a constant that is not negative, and that
// the number is not negative. It returns "" for other conditions.
func rangeEnds(a, b ir.Value) (predicate string) {
	for _, v := range []struct{ below, from ir.Value }{{a, b}, {b, a}} {
		x, ok := comparedToZero(v.from, "sge")
		cmp := v.below.DefiningOp()
		if !ok || cmp.IsNil() || !cmp.Is(CmpI) || cmp.Operand(0) != x {
			continue
		}
		most, ok := Splat(ir.ConstantValue(cmp.Operand(1))).(*ir.IntegerAttr)
		if pred := cmp.StringAttr(AttrPredicate); ok && most.Value >= 0 && (pred == "slt" || pred == "sle") {
			return "u" + pred[1:]
		}
	}
	return ""
}

// rangeOperands returns the operands of the comparison with the constant, of the two of rangeEnds.
func rangeOperands(a, b ir.Value) []ir.Value {
	if a.DefiningOp().StringAttr(AttrPredicate) == "sge" {
		a = b
	}
	return a.DefiningOp().Operands()
}

// leastCompared is the width below which registers compare no faster.
const leastCompared = 32

// compareExtended compares what was extended: sign extension keeps the order of numbers with and without sign. A mask
// of a scalar access is such a comparison, and one of 64 bits takes two instructions besides the extensions.
func compareExtended(op ir.Op, rw *rewrite.Rewriter) bool {
	at := 0
	if ir.ConstantValue(op.Operand(0)) != nil {
		at = 1
	}
	by := op.Operand(at).DefiningOp()
	if by.IsNil() || !by.Is(ExtSI) && !by.Is(ExtUI) || op.Operand(1-at).DefiningOp().IsNil() {
		return false
	}
	t, ok := by.Operand(0).Type().(*ir.IntegerType)
	if !ok || ir.BitWidth(t) < leastCompared {
		return false
	}
	signed, cut := by.Is(ExtSI), 64-ir.BitWidth(t)
	rw.SetInsertionPointBefore(op)
	narrow := func(v ir.Value) ir.Value {
		def := v.DefiningOp()
		if def.Is(by.Def()) && def.Operand(0).HasType(t) {
			return def.Operand(0)
		}
		c, ok := ir.ConstantValue(v).(*ir.IntegerAttr)
		if !ok || signed && c.Value<<cut>>cut != c.Value || !signed && c.Unsigned()<<cut>>cut != c.Unsigned() {
			return ir.Value{}
		}
		return rw.Create(Constant, nil, []ir.Type{t}, ir.NamedAttr{Name: AttrValue, Value: FromBits(t, c.Unsigned()<<cut>>cut)}).Result(0)
	}
	x, y := by.Operand(0), narrow(op.Operand(1-at))
	if y.IsNil() {
		return false
	}
	if at == 1 {
		x, y = y, x
	}
	pred := op.StringAttr(AttrPredicate)
	if !signed && pred[0] == 's' { // what was extended by zeros is not negative
		pred = "u" + pred[1:]
	}
	rw.ReplaceWithNew(op, CmpI, []ir.Value{x, y}, []ir.Type{op.Result(0).Type()}, ir.NamedAttr{Name: AttrPredicate, Value: op.Context().String(pred)})
	return true
}

// compareWithZero makes 0 < x, without sign, a comparison that needs no order: x != 0.
func compareWithZero(op ir.Op, rw *rewrite.Rewriter) bool {
	zero := Splat(ir.ConstantValue(op.Operand(0)))
	if zero == nil || Bits(zero) != 0 || op.StringAttr(AttrPredicate) != "ult" {
		return false
	}
	rw.ReplaceWithNew(op, CmpI, []ir.Value{op.Operand(1), op.Operand(0)}, []ir.Type{op.Result(0).Type()}, ir.NamedAttr{Name: AttrPredicate, Value: op.Context().String("ne")})
	return true
}

// compareWithChoice leaves out the choice of a bound that is 0 otherwise: x < (c ? n : 0), without sign, is c and x < n.
// A pipelined loop bounds its last loads like that. Machines join a condition to a comparison, and have to make a bound.
func compareWithChoice(op ir.Op, rw *rewrite.Rewriter) bool {
	if _, scalar := op.Operand(1).Type().(*ir.IntegerType); !scalar || op.StringAttr(AttrPredicate) != "ult" {
		return false
	}
	choice := op.Operand(1).DefiningOp()
	cast := choice
	if isCast(cast) {
		choice = cast.Operand(0).DefiningOp()
	} else {
		cast = ir.Op{}
	}
	if choice.IsNil() || !choice.Is(Select) || !IsInt(choice.Operand(2), 0) || !onlyBounds(choice.Result(0)) {
		return false
	}
	rw.SetInsertionPointBefore(op)
	bound := choice.Operand(1)
	if !cast.IsNil() {
		bound = rw.Create(cast.Def(), []ir.Value{bound}, cast.ResultTypes(), cast.InherentAttrs()...).Result(0)
	}
	inside := rw.Create(CmpI, []ir.Value{op.Operand(0), bound}, op.ResultTypes(), op.InherentAttrs()...)
	rw.ReplaceWithNew(op, AndI, []ir.Value{inside.Result(0), choice.Operand(0)}, op.ResultTypes())
	return true
}

func isCast(op ir.Op) bool {
	return !op.IsNil() && (op.Is(TruncI) || op.Is(ExtUI) || op.Is(ExtSI))
}

// onlyBounds reports whether a number is only compared with, also after a conversion. Otherwise it is needed anyway.
func onlyBounds(v ir.Value) bool {
	for u := range v.Uses() {
		op := u.Owner()
		if isCast(op) && onlyBounds(op.Result(0)) {
			continue
		}
		if !op.Is(CmpI) || u.Index() != 1 || op.StringAttr(AttrPredicate) != "ult" {
			return false
		}
	}
	return true
}

// comparedToZero returns the value that a condition compares to 0.
func comparedToZero(v ir.Value, predicate string) (ir.Value, bool) {
	cmp := v.DefiningOp()
	if cmp.IsNil() || !cmp.Is(CmpI) || cmp.StringAttr(AttrPredicate) != predicate {
		return ir.Value{}, false
	}
	zero := Splat(ir.ConstantValue(cmp.Operand(1)))
	return cmp.Operand(0), zero != nil && Bits(zero) == 0
}

// floorRemainder makes a mask of the remainder of a floor division by 2^k, as front ends write it:
//
//	%r = remsi %x, 8 ; select %r < 0, %r + 8, %r          andi %x, 7
func floorRemainder(op ir.Op, rw *rewrite.Rewriter) bool {
	r, negative := comparedToZero(op.Operand(0), "slt")
	add := op.Operand(1).DefiningOp()
	if !negative || r != op.Operand(2) || add.IsNil() || !add.Is(AddI) || add.Operand(0) != r {
		return false
	}
	rem, more := r.DefiningOp(), Splat(ir.ConstantValue(add.Operand(1)))
	if rem.IsNil() || !rem.Is(RemSI) || more == nil {
		return false
	}
	t := op.Result(0).Type()
	by := Splat(ir.ConstantValue(rem.Operand(1)))
	if n, ok := more.(*ir.IntegerAttr); !ok || by == nil || Bits(by) != Bits(more) || n.Value <= 0 || n.Value&(n.Value-1) != 0 {
		return false
	}
	rw.SetInsertionPointBefore(op)
	mask := splat(rw.Builder, t, Bits(more)-1)
	rw.ReplaceWithNew(op, AndI, []ir.Value{rem.Operand(0), mask}, []ir.Type{t})
	return true
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
	by := splat(rw.Builder, t, Bits(a)*Bits(b))
	var attrs []ir.NamedAttr
	// If both products promise not to wrap, so does the combined one, unless the product of the constants is itself
	// out of range. For i8, -1 * 16 * 8 is in range, and -1 * -128 is not.
	wraps := numeric.Int(ir.BitWidth(ir.ElementType(t))).MulWraps(Bits(a), Bits(b)).Signed
	if promise := op.StringAttr(AttrOverflow); promise != "" && promise == inner.StringAttr(AttrOverflow) && !wraps {
		attrs = append(attrs, ir.NamedAttr{Name: AttrOverflow, Value: op.Attr(AttrOverflow)})
	}
	rw.ReplaceWithNew(op, MulI, []ir.Value{inner.Operand(0), by}, []ir.Type{t}, attrs...)
	return true
}
