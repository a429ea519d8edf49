package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// rem returns the exact remainder of x/y towards zero. Each step subtracts from a = |x| a multiple of b =
// |y|·2^k. The exponent k is chosen such that the quotient is a short integer, whose product with b is exact in a
// fused multiplication. The quotient is one too large at most, when the division rounds up.
func rem(e expander, in []ir.Value) ir.Value {
	x, y := in[0], in[1]
	zero, inf, nan := e.c(0), e.c(math.Inf(1)), e.c(math.NaN())
	b := e.abs(y)
	valid := e.Op(arith.AndI, e.CmpF("olt", e.abs(x), inf), e.CmpF("ogt", b, zero))
	finite := e.Op(arith.AndI, valid, e.CmpF("olt", b, inf))
	start := e.Select(finite, e.abs(x), nan) // which ends the loop
	exponentB := e.exponent(b)               // two powers are enough for all exponents but one
	out := e.While([]ir.Value{start},
		func(a []ir.Value) ir.Value { return e.CmpF("oge", a[0], b) },
		func(a []ir.Value) []ir.Value {
			gap := e.Op(arith.SubI, e.exponent(a[0]), exponentB)
			shift := e.Op(arith.MaxSI, e.Op(arith.SubI, gap, e.i(int64(e.spec.Man-2))), e.i(0))
			shift = e.Op(arith.MinSI, shift, e.i(2*int64(e.spec.Bias))) // two powers are enough for all but one place
			half := e.Op(arith.ShRUI, shift, e.i(1))
			scaled := e.mul(e.mul(b, e.power(half)), e.power(e.Op(arith.SubI, shift, half)))
			quotient := e.Op(arith.Floor, e.div(a[0], scaled))
			left := e.fma(e.neg(quotient), scaled, a[0])
			return []ir.Value{e.Select(e.CmpF("olt", left, zero), e.add(left, scaled), left)}
		})
	r := e.copySign(out[0], x)
	r = e.Select(e.CmpF("oeq", b, inf), x, r)
	return e.Select(valid, r, nan)
}

// exponent returns the binary exponent of a positive finite number, subnormal or not, and any number for zero.
func (e expander) exponent(v ir.Value) ir.Value {
	shift := e.spec.Man + 1
	subnormal := e.CmpF("olt", v, e.c(math.Ldexp(1, 1-e.spec.Bias)))
	v = e.Select(subnormal, e.mul(v, e.c(math.Ldexp(1, shift))), v)
	field := e.Op(arith.ShRUI, e.toBits(v), e.i(int64(e.spec.Man)))
	return e.Op(arith.SubI, field, e.Select(subnormal, e.i(int64(e.spec.Bias+shift)), e.i(int64(e.spec.Bias))))
}
