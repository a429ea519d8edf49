package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

var (
	pi     = constant{math.Pi, 1.2246467991473532e-16}
	halfPi = constant{math.Pi / 2, 6.123233995736766e-17}
)

func atan2(e expander, in []ir.Value) ir.Value      { return e.atan2(in[0], in[1], e.div) }
func atan2Short(e expander, in []ir.Value) ir.Value { return e.atan2(in[0], in[1], e.ratioShort) }

// ratioShort returns small/large for 0 <= small <= large, within an ulp: a reciprocal and one step. Both are scaled
// where the reciprocal of the larger one, or that itself, is no normal number. By zero it is NaN, by infinity 0.
func (e expander) ratioShort(small, large ir.Value) ir.Value {
	const limit, factor = 0x1p100, 0x1p48
	scale := e.Select(e.CmpF("ogt", large, e.c(limit)), e.c(1./factor), e.c(1))
	scale = e.Select(e.CmpF("olt", large, e.c(1/limit)), e.c(factor), scale)
	small, scaled := e.mul(small, scale), e.mul(large, scale)
	inverse := e.reciprocal(scaled)
	q := e.mul(small, inverse)
	q = e.fma(e.fma(e.neg(q), scaled, small), inverse, q)
	return e.Select(e.CmpF("olt", large, e.c(math.Inf(1))), q, e.c(0))
}

// atan2 computes the arc tangent of the smaller coordinate over the larger one, and moves it to its octant.
func (e expander) atan2(y, x ir.Value, quotient func(small, large ir.Value) ir.Value) ir.Value {
	zero := e.c(0)
	a, b := e.abs(y), e.abs(x)
	steep := e.CmpF("ogt", a, b)
	small, large := e.Select(steep, b, a), e.Select(steep, a, b)
	// Both may be zero, and both infinite.
	ratio := e.Select(e.CmpF("oeq", large, zero), zero, quotient(small, large))
	ratio = e.Select(e.CmpF("oeq", small, e.c(math.Inf(1))), e.c(1), ratio)
	coefficients := atanPoly64
	if e.single() {
		coefficients = atanPoly32
	}
	r := e.oddPoly(ratio, coefficients)
	// π/2 - r, π - r, π/2 + r or r itself, by the octant.
	backward := e.CmpI("slt", e.toBits(x), e.i(0))
	r = e.Select(e.Op(arith.XOrI, steep, backward), e.neg(r), r)
	half, whole := e.constantPair(halfPi), e.constantPair(pi)
	hi := e.Select(steep, half.hi, e.Select(backward, whole.hi, zero))
	lo := e.Select(steep, half.lo, e.Select(backward, whole.lo, zero))
	r = e.add(hi, e.add(r, lo))
	// The sign of y decides also for zeros, where no comparison would see it (IEEE 754, atan2).
	r = e.copySign(r, y)
	return e.Select(e.CmpF("uno", x, y), e.add(x, y), r)
}
