package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// Powers of f64 are 2^(y·log2|x|). The product has up to 11 bits before the point, so that the logarithm needs 65:
//
//	s = (m-1)/(m+1), z = s²: log2(x) = k + s·(c + z·(c/3 + z·p(z))), c = 2·log2(e), x = m·2^k
//
// All but p is computed as sums of two numbers.

// longest64 bounds exponents, as longest does; tiniest64 bounds the low part of a product in the range of results.
const longest64, tiniest64 = 0x1p900, 0x1p-40

func powF64(e expander, in []ir.Value) ir.Value {
	x, y := in[0], in[1]
	if e.isSquare(y) {
		return e.mul(x, x)
	}
	l := e.log2Pair64(e.abs(x))
	bounded := e.bounded(y, -longest64, longest64)
	product := e.twoProduct(bounded, l.hi)
	product.lo = e.fma(bounded, l.lo, product.lo)
	result := e.exp2Pair64(product)

	// |y| - 2·floor(|y|/2) is 0 of an even y, 1 of an odd one, and something else of a fraction.
	length := e.abs(bounded)
	rest := e.fma(e.Op(arith.Floor, e.mul(length, e.c(0.5))), e.c(-2), length)
	odd := e.CmpF("oeq", rest, e.c(1))
	_, upperX := e.words(x)
	lo, hi := e.words(result)
	turned := e.Op(arith.XOrI, hi, e.Op(arith.AndI, upperX, e.word(math.MinInt32)))
	hi = e.Select(odd, turned, hi)

	// A fractional power of a finite negative number is NaN, and so are powers of NaN, but not x^0 and 1^y.
	none := e.Op(arith.AndI, e.CmpF("one", rest, e.c(0)), e.Not(odd))
	none = e.Op(arith.AndI, e.CmpF("olt", x, e.c(0)), none)
	none = e.Op(arith.AndI, e.CmpF("ogt", x, e.c(math.Inf(-1))), none)
	none = e.Op(arith.OrI, e.CmpF("uno", x, y), none)
	result = e.join(lo, e.Select(none, e.word(upper(math.NaN())), hi))
	return e.Select(e.Op(arith.OrI, e.CmpF("oeq", x, e.c(1)), e.CmpF("oeq", y, e.c(0))), e.c(1), result)
}

// log2Pair64 returns the binary logarithm of a number that is not negative. The low part is NaN where it is infinite.
func (e expander) log2Pair64(x ir.Value) pair {
	m := e.mantissa(x)
	inverse := e.reciprocal(e.add(m.f, e.c(2)))
	minus := e.neg(inverse)
	off := e.squared(e.fma(minus, m.f, e.fma(minus, e.c(2), e.c(1))))
	s := e.mul(m.f, e.fma(off, inverse, inverse))
	left := e.fma(e.neg(s), m.f, e.fma(s, e.c(-2), m.f)) // f - s·(2+f): both steps are exact
	z := e.mul(s, s)
	zLow := e.fma(s, s, e.neg(z))

	hi, lo := e.split(thirdOfTwoLog2E)
	inner := e.step(z, e.poly(z, powPoly64), hi)
	inner.lo = e.add(inner.lo, lo)
	hi, lo = e.split(twoLog2E)
	outer := e.step(z, inner.hi, hi)
	outer.lo = e.add(e.fma(z, inner.lo, outer.lo), e.fma(zLow, inner.hi, lo))

	k := e.mul(m.k, e.c(math.Ldexp(1, -20)))
	l := e.step(s, outer.hi, e.logSpecialExponent(m, k))
	l.lo = e.fma(s, outer.lo, l.lo)
	// The derivative of atanh(s) is 1/(1-s²), of which two terms are enough.
	l.lo = e.fma(e.mul(left, inverse), e.fma(z, hi, hi), l.lo)
	return l
}

// logSpecialExponent returns k, a small integer, or the logarithm of a zero or infinite number.
func (e expander) logSpecialExponent(m mantissa, k ir.Value) ir.Value {
	lo, hi := e.words(k) // lo is zero
	hi = e.Select(e.CmpI("uge", m.scaledWord, e.word(upper(math.Inf(1)))), m.scaledWord, hi)
	hi = e.Select(e.CmpI("eq", m.scaledWord, e.word(0)), e.word(upper(math.Inf(-1))), hi)
	return e.join(lo, hi)
}

// exp2Pair64 returns 2^(p.hi+p.lo). Where p.hi is beyond the range of exponents, or infinite, p.lo may be anything.
func (e expander) exp2Pair64(p pair) ir.Value {
	whole := e.bounded(p.hi, leastExp2, mostExp2)
	minus, n := e.whole(whole, 1)
	f := e.add(e.add(whole, minus), e.bounded(p.lo, -tiniest64, tiniest64))
	return e.scaled(e.fma(f, e.poly(f, exp2Poly64), e.c(1)), n)
}
