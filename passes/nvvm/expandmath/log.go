package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// decompose returns m and k such that x = m·2^k, with m from least to 2·least; both are numbers of the format. x is
// positive and finite. scaled is x, or x·2^24 or more where x is subnormal.
func (e expander) decompose(x ir.Value, least float64) (m, k, scaled ir.Value) {
	subnormal := e.CmpF("olt", x, e.c(math.Ldexp(1, 1-e.spec.Bias)))
	shift := e.spec.Man + 1
	x = e.Select(subnormal, e.mul(x, e.c(math.Ldexp(1, shift))), x)
	base := e.Select(subnormal, e.c(float64(-shift)), e.c(0))
	bits := e.toBits(x)
	exponent := e.Op(arith.SubI, bits, e.toBits(e.c(least)))
	exponent = e.Op(arith.AndI, exponent, e.i(-1<<e.spec.Man))
	m = e.fromBits(e.Op(arith.SubI, bits, exponent))
	k = e.fma(e.Cast(arith.SIToFP, exponent, e.t), e.c(math.Ldexp(1, -e.spec.Man)), base)
	return m, k, x
}

// logSpecial returns y, the logarithm of a positive finite x, or the special result for another x.
func (e expander) logSpecial(x, y ir.Value) ir.Value {
	zero := e.c(0)
	y = e.Select(e.CmpF("olt", x, e.c(math.Inf(1))), y, x) // infinity and NaN are their own
	y = e.Select(e.CmpF("olt", x, zero), e.c(math.NaN()), y)
	return e.Select(e.CmpF("oeq", x, zero), e.c(math.Inf(-1)), y)
}

// log2Pair returns the binary logarithm of a positive finite number with about 1.5 times the digits of f32.
//
// With s = (m-1)/(m+1), log(m) = 2·atanh(s) = 2s·(1+u), where u = s²/3 + s⁴·p(s²). Only the first term of u
// matters beyond the format's precision.
func (e expander) log2Pair(x ir.Value) pair {
	m, k, _ := e.decompose(x, math.Sqrt2/2)
	f := e.sub(m, e.c(1))
	// m+1 = f+2 is den.hi + den.lo exactly.
	den := e.fastTwoSum(e.c(2), f)
	inverse := e.approximate(nvvm.RcpApprox, den.hi)
	s := pair{hi: e.mul(f, inverse)}
	minus := e.neg(s.hi)
	s.lo = e.mul(e.fma(minus, den.lo, e.fma(minus, den.hi, f)), inverse)

	z := e.mulPair(s, s)
	tail := e.mul(e.mul(z.hi, z.hi), e.poly(z.hi, atanhPoly32))
	first := e.mulPair(z, e.constantPair(third))
	u := e.fastTwoSum(first.hi, tail)
	u.lo = e.add(u.lo, first.lo)

	product := e.mulPair(s, u)
	sum := e.fastTwoSum(s.hi, product.hi)
	sum.lo = e.add(sum.lo, e.add(product.lo, s.lo))
	l := e.mulPair(sum, e.constantPair(twoLog2E))

	whole := e.fastTwoSum(k, l.hi)
	return e.fastTwoSum(whole.hi, e.add(whole.lo, l.lo))
}
