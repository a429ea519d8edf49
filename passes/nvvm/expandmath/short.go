package expandmath

import (
	"math"
	"slices"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The methods of this file compute in f32 with few instructions. Their errors are within the bounds that CUDA
// publishes (docs/measurements/functions.md): 1 ulp for log and log2, 2 for exp, tanh, cosh, sin and cos, 3 for sinh, 4
// for tan and pow.

// shortPower returns e^x = 2^f·2^n. sum is n+base+magic, and has n+base in its lowest bits: the exponent as f32 stores
// it. f need not be small: where n was kept in a range, 2^f overflows or becomes small instead.
func (e expander) shortPower(x, sum ir.Value, base float64) ir.Value {
	hi, lo := e.split(log2E)
	f := e.fma(x, lo, e.fma(x, hi, e.sub(e.c(e.magic()+base), sum)))
	return e.mul(e.flushing().approximate(nvvm.Ex2Approx, f), e.exponentOf(sum))
}

// exponentOf returns the number whose exponent, as f32 stores it, is in the lowest bits of the sum.
func (e expander) exponentOf(sum ir.Value) ir.Value {
	return e.fromBits(e.Op(arith.ShLI, e.toBits(sum), e.i(int64(e.spec.Man))))
}

// boundedExponent returns n+bias+magic for an n near to x·scale, from -126 to 127. It keeps n there by a fused
// multiplication that saturates to [0, 1].
func (e expander) boundedExponent(x ir.Value, scale float64) ir.Value {
	const least, count = -126, 253
	share := e.Create(nvvm.FmaSat, []ir.Value{x, e.c(scale / count), e.c(-1. * least / count)}, []ir.Type{e.t}).Result(0)
	return e.fma(share, e.c(count), e.c(e.magic()+float64(e.spec.Bias)+least))
}

// flushing returns an expander for approximate instructions that flush. Without that, the assembler adds three
// instructions for subnormal numbers.
func (e expander) flushing() expander {
	e.ftz = true
	return e
}

func expShort(e expander, x []ir.Value) ir.Value {
	if e.approx {
		return expF32(e, x)
	}
	return e.shortPower(x[0], e.boundedExponent(x[0], log2E.hi), float64(e.spec.Bias))
}

// expNarrow rounds x·log2(e) to 24 bits, which costs the result 7 of them at most.
func expNarrow(e expander, x []ir.Value) ir.Value {
	if e.to == numeric.F16 {
		e = e.flushing() // f16 has no number that small
	}
	return e.approximate(nvvm.Ex2Approx, e.mul(x[0], e.c(log2E.hi)))
}

// shortLog has what both logarithms need: x, or x·2^24 where x is subnormal, f = m-1 and k·2^23 for x = m·2^k, with m
// from √½ to √2. x is positive and finite.
func (e expander) shortLog(x ir.Value) (scaled, f, k ir.Value) {
	shift := e.spec.Man + 1
	var subnormal ir.Value
	scaled = x
	if !e.normal(x) {
		subnormal = e.CmpF("olt", x, e.c(math.Ldexp(1, 1-e.spec.Bias)))
		scaled = e.Select(subnormal, e.mul(x, e.c(math.Ldexp(1, shift))), x)
	}
	bits := e.toBits(scaled)
	exponent := e.Op(arith.AndI, e.Op(arith.SubI, bits, e.toBits(e.c(math.Sqrt2/2))), e.i(-1<<e.spec.Man))
	f = e.sub(e.fromBits(e.Op(arith.SubI, bits, exponent)), e.c(1))
	if !subnormal.IsNil() {
		exponent = e.Select(subnormal, e.Op(arith.SubI, exponent, e.i(int64(shift)<<e.spec.Man)), exponent)
	}
	return scaled, f, e.Cast(arith.SIToFP, exponent, e.t)
}

// normal reports whether a value is a positive normal number, infinite or NaN: the greater of something and a constant.
// Programs write log(max(x, 1e-10)), so that zero has a logarithm.
func (e expander) normal(x ir.Value) bool {
	def := x.DefiningOp()
	if def.IsNil() || !def.Is(arith.MaxNumF) && !def.Is(arith.MaximumF) {
		return false
	}
	return slices.ContainsFunc(def.Operands(), func(v ir.Value) bool {
		c, ok := ir.ConstantValue(v).(*ir.FloatAttr)
		return ok && e.single() && math.Float32frombits(uint32(c.Bits)) >= float32(math.Ldexp(1, 1-e.spec.Bias))
	})
}

// shortLogSpecial returns y, or the special result of zero and of what is negative, infinite or NaN, whose bits are
// the largest unsigned integers.
func (e expander) shortLogSpecial(scaled, y ir.Value) ir.Value {
	inf := e.c(math.Inf(1))
	special := e.CmpI("uge", e.toBits(scaled), e.toBits(inf))
	y = e.Select(special, e.fma(scaled, inf, inf), y)
	if e.normal(scaled) {
		return y
	}
	return e.Select(e.CmpF("oeq", scaled, e.c(0)), e.c(math.Inf(-1)), y)
}

func logShort(e expander, x []ir.Value) ir.Value {
	scaled, f, k := e.shortLog(x[0])
	l := e.fma(e.mul(e.poly(f, logPoly32), f), f, f)
	return e.shortLogSpecial(scaled, e.fma(k, e.c(math.Ldexp(math.Ln2, -e.spec.Man)), l))
}

// log2Short has log2(e) in the coefficients. That of f itself needs two numbers.
func log2Short(e expander, x []ir.Value) ir.Value {
	scaled, f, k := e.shortLog(x[0])
	hi, lo := e.split(log2E)
	l := e.fma(f, hi, e.mul(e.fma(e.poly(f, log2Poly32), f, lo), f))
	return e.shortLogSpecial(scaled, e.fma(k, e.c(math.Ldexp(1, -e.spec.Man)), l))
}

// tanhShort is 1 - 2/(e^2a+1) for a = |x|, or a polynomial where that would lose digits.
func tanhShort(e expander, x []ir.Value) ir.Value {
	if e.approx {
		return tanhF32(e, x)
	}
	a := e.abs(x[0])
	power := e.flushing().approximate(nvvm.Ex2Approx, e.mul(a, e.c(twoLog2E.hi)))
	// In this form there is no overflow to guard against: an infinite power has the reciprocal 0, and the result is 1.
	large := e.fma(e.c(-2), e.reciprocal(e.add(power, e.c(1))), e.c(1))
	return e.bySize(x[0], a, tanhSmall32, e.oddPoly(a, tanhPoly32), large)
}

// quarterExp returns e^a/4 for a from 0. That is finite where sinh and cosh are, and infinite where n would be above
// the range of exponents.
func (e expander) quarterExp(a ir.Value) ir.Value {
	base := float64(e.spec.Bias - 2)
	bounded := e.Op(arith.MinNumF, a, e.c(overflowing+0.5))
	return e.shortPower(a, e.fma(bounded, e.c(log2E.hi), e.c(e.magic()+base)), base)
}

// coshShort is e^a/2 + e^-a/2.
func coshShort(e expander, x []ir.Value) ir.Value {
	quarter := e.quarterExp(e.abs(x[0]))
	return e.fma(quarter, e.c(2), e.mul(e.reciprocal(quarter), e.c(0.125)))
}

// sinhShort is e^a/2 - e^-a/2, or a polynomial where that would lose digits.
func sinhShort(e expander, x []ir.Value) ir.Value {
	a := e.abs(x[0])
	quarter := e.quarterExp(a)
	large := e.fma(quarter, e.c(2), e.mul(e.reciprocal(quarter), e.c(-0.125)))
	return e.bySize(x[0], a, 1, e.oddPoly(a, sinhPoly32), large)
}
