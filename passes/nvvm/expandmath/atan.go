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

// atan2 computes the arc tangent of the smaller coordinate over the larger one, and moves it to its octant.
func atan2(e expander, in []ir.Value) ir.Value {
	y, x := in[0], in[1]
	zero := e.c(0)
	a, b := e.abs(y), e.abs(x)
	steep := e.CmpF("ogt", a, b)
	small, large := e.Select(steep, b, a), e.Select(steep, a, b)
	// Both may be zero, and both infinite.
	ratio := e.Select(e.CmpF("oeq", large, zero), zero, e.div(small, large))
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
