package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// longest bounds exponents: every base but ±1 raised to it is zero or infinite, as with an infinite exponent, and it is
// even. Its products with logarithms other than infinite ones are finite.
const longest = 0x1p100

// powShort is 2^(y·log2|x|) by the instruction, with the logarithm as a sum of two numbers. Where that is infinite or
// NaN, so is y·log2|x|, and an infinite y is a large one: only signs, 1^y and x^0 are left to select.
func powShort(e expander, in []ir.Value) ir.Value {
	x, y := in[0], in[1]
	if e.isSquare(y) {
		return e.mul(x, x)
	}
	magnitude := e.abs(x)
	l, scaled := e.shortLog2Pair(magnitude)
	special := e.flushing().approximate(nvvm.Lg2Approx, scaled)
	l.hi = e.Select(e.CmpF("olt", e.abs(special), e.c(math.Inf(1))), l.hi, special)
	bounded := e.Op(arith.MaximumF, e.Op(arith.MinimumF, y, e.c(longest)), e.c(-longest))
	result := e.shortExp2(bounded, l)

	// A whole y is odd if y - 2·floor(y/2) is 1. A fractional one has no power of a negative number, unless that is zero
	// or infinite.
	down := e.Op(arith.Floor, y)
	turned := e.Op(arith.AndI, e.CmpI("slt", e.toBits(x), e.i(0)), e.CmpF("oeq", down, y))
	rest := e.fma(e.Op(arith.Floor, e.mul(y, e.c(0.5))), e.c(-2), y)
	turned = e.Op(arith.AndI, e.CmpF("oeq", rest, e.c(1)), turned)
	result = e.Select(turned, e.neg(result), result)
	finite := e.Op(arith.AndI, e.CmpF("ogt", x, e.c(math.Inf(-1))), e.CmpF("olt", x, e.c(0)))
	result = e.Select(e.Op(arith.AndI, finite, e.CmpF("une", down, y)), e.c(math.NaN()), result)
	return e.Select(e.Op(arith.OrI, e.CmpF("oeq", x, e.c(1)), e.CmpF("oeq", y, e.c(0))), e.c(1), result)
}

// shortLog2Pair returns the binary logarithm of a positive finite x = m·2^k to some 31 bits: k + 2·log2(e)·atanh(s) with
// s = g/(1+g) and g = (m-1)/2. Signs of g and s are turned, which saves a negation. scaled is as of decompose.
func (e expander) shortLog2Pair(x ir.Value) (l pair, scaled ir.Value) {
	m, k, scaled := e.decompose(x, math.Sqrt2/2)
	g := e.fma(m, e.c(-0.5), e.c(0.5))
	inverse := e.reciprocal(e.sub(e.c(1), g))
	s := e.mul(g, inverse)
	rest := e.fma(s, g, e.sub(g, s)) // g - s·(1+g): the difference is exact
	z := e.mul(s, s)
	hi, lo := e.split(constant{-twoLog2E.hi, -twoLog2E.lo})
	l = e.step(s, hi, k)
	// The derivative of atanh(s) is 1/(1-s²), of which two terms are enough.
	l.lo = e.fma(e.mul(rest, inverse), e.fma(z, hi, hi), l.lo)
	l.lo = e.fma(s, lo, l.lo)
	l.lo = e.fma(s, e.mul(z, e.poly(z, powPoly32)), l.lo)
	return e.fastTwoSum(l.hi, l.lo), scaled
}

// shortExp2 returns 2^(y·(l.hi+l.lo)). n, near to the product, is kept among the exponents of normal numbers by a fused
// multiplication that saturates, and beyond them 2^f overflows or becomes small.
func (e expander) shortExp2(y ir.Value, l pair) ir.Value {
	bias := float64(e.spec.Bias)
	sum := e.boundedExponent(e.mul(y, l.hi), 1)
	f := e.fma(y, l.lo, e.fma(y, l.hi, e.sub(e.c(e.magic()+bias), sum)))
	return e.mul(e.flushing().approximate(nvvm.Ex2Approx, f), e.exponentOf(sum))
}

// powF32 returns x^y as 2^(y·log2|x|) with the sign that follows from x and y.
func powF32(e expander, in []ir.Value) ir.Value {
	x, y := in[0], in[1]
	if e.isSquare(y) {
		return e.mul(x, x)
	}
	const limit = 200 // where the result is zero or infinite
	zero, one, inf := e.c(0), e.c(1), e.c(math.Inf(1))
	magnitude := e.abs(x)
	l := e.log2Pair(magnitude)
	product := e.twoProduct(y, l.hi)
	low := e.fma(y, l.lo, product.lo)
	bounded := e.clamp(product.hi, -limit, limit)
	low = e.Select(e.CmpF("oeq", bounded, product.hi), low, zero)
	whole, _ := e.round(bounded)
	n := e.clamp(whole, -126, 127)
	result := exp2Single(e, n, e.add(e.sub(bounded, n), low))

	// Zero and infinity to a power are either.
	isZero, isInf := e.CmpF("oeq", magnitude, zero), e.CmpF("oeq", magnitude, inf)
	positive := e.CmpF("ogt", y, zero)
	extreme := e.Select(e.Op(arith.XOrI, positive, isZero), inf, zero)
	result = e.Select(e.Op(arith.OrI, isZero, isInf), extreme, result)

	// A negative base: the sign of the result is that of odd powers; fractional ones have no value unless the base is
	// zero or infinite.
	integral := e.CmpF("oeq", e.Op(arith.Floor, y), y)
	half := e.mul(y, e.c(0.5))
	odd := e.Op(arith.AndI, integral, e.CmpF("one", e.Op(arith.Floor, half), half))
	negative := e.CmpI("slt", e.toBits(x), e.i(0))
	result = e.Select(e.Op(arith.AndI, negative, odd), e.neg(result), result)
	finiteNegative := e.Op(arith.AndI, e.CmpF("olt", x, zero), e.Not(isInf))
	result = e.Select(e.Op(arith.AndI, finiteNegative, e.Not(integral)), e.c(math.NaN()), result)

	// -1 to an infinite power is 1, and so are x^0 and 1^y, NaN or not.
	endless := e.CmpF("oeq", e.abs(y), inf)
	result = e.Select(e.Op(arith.AndI, endless, e.CmpF("oeq", magnitude, one)), one, result)
	result = e.Select(e.CmpF("uno", x, y), e.c(math.NaN()), result)
	return e.Select(e.Op(arith.OrI, e.CmpF("oeq", x, one), e.CmpF("oeq", y, zero)), one, result)
}

// isSquare reports whether an exponent is 2.
func (e expander) isSquare(y ir.Value) bool {
	c, ok := ir.ConstantValue(y).(*ir.FloatAttr)
	return ok && c.Float64() == 2
}
