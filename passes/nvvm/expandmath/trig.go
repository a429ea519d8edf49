package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// An angle is an angle modulo π/2: the rest as a sum, from -π/4 to π/4, and the last two bits of the multiple.
type angle struct {
	rest     pair
	quadrant ir.Value // as wide as the format
}

// π/2 in parts whose products with integers are exact, or nearly so, in a fused multiplication. They are cut
// off, not rounded, so that none is negative.
var (
	halfPi32 = []float64{1.570796251296997, 7.549789415861596e-08, 5.390302529957765e-15}
	halfPi64 = []float64{1.5707963267948966, 6.123233995736765e-17, 1.0828566739219139e-32}
)

// Up to these limits the parts of π/2 are enough, since the multiple is exact and cancellation leaves enough
// digits.
const largeAngle32, largeAngle64 = 1 << 16, 1 << 30

// reduce takes an angle modulo π/2 (Cody and Waite; for large angles Payne and Hanek, in a branch of its own).
func (e expander) reduce(x ir.Value) angle {
	parts, limit, large := halfPi64, float64(largeAngle64), expander.reduceLarge64
	if e.single() {
		parts, limit, large = halfPi32, largeAngle32, expander.reduceLarge32
	}
	sum := e.fma(x, e.c(2/math.Pi), e.c(e.magic()))
	n := e.sub(sum, e.c(e.magic()))
	// The first difference is exact. The second may cancel as far as to the last bits of n·parts[1], which therefore
	// must be exact too.
	first := e.fma(e.neg(n), e.c(parts[0]), x)
	second := e.twoProduct(n, e.c(parts[1]))
	rest := e.twoDifference(first, second.hi)
	rest = e.fastTwoSum(rest.hi, e.sub(rest.lo, e.fma(n, e.c(parts[2]), second.lo)))
	out := e.If(e.CmpF("oge", e.abs(x), e.c(limit)), func() []ir.Value {
		a := large(e, x)
		return []ir.Value{a.rest.hi, a.rest.lo, a.quadrant}
	}, rest.hi, rest.lo, e.toBits(sum))
	return angle{pair{out[0], out[1]}, out[2]}
}

func sinF64(e expander, x []ir.Value) ir.Value { return e.signedZero(x[0], e.circular(x[0], 0)) }
func cosF64(e expander, x []ir.Value) ir.Value { return e.circular(x[0], 1) }

// circular returns sin(x + shift·π/2) in f64.
func (e expander) circular(x ir.Value, shift int64) ir.Value {
	a := e.reduce(x)
	quadrant := a.quadrant
	if shift != 0 {
		quadrant = e.Op(arith.AddI, quadrant, e.i(shift))
	}
	sine, cosine := e.sinCos(a.rest)
	v := e.Select(e.bit(quadrant, 1), cosine, sine)
	return e.Select(e.bit(quadrant, 2), e.neg(v), v)
}

// bit reports whether a bit of an integer is set.
func (e expander) bit(v ir.Value, mask int64) ir.Value {
	return e.CmpI("ne", e.Op(arith.AndI, v, e.i(mask)), e.i(0))
}

// signedZero returns y, but a zero x itself, whose sign arithmetic may lose.
func (e expander) signedZero(x, y ir.Value) ir.Value {
	return e.Select(e.CmpF("oeq", x, e.c(0)), x, y)
}

// sinCos returns sine and cosine of an angle from -π/4 to π/4. The largest term of each is added last, with what
// rounding took from it.
func (e expander) sinCos(r pair) (sine, cosine ir.Value) {
	z := e.mul(r.hi, r.hi)
	sine = e.add(r.hi, e.fma(e.mul(z, e.poly(z, sinPoly64)), r.hi, r.lo))
	half := e.mul(z, e.c(0.5))
	small := e.fma(e.mul(z, z), e.poly(z, cosPoly64), e.neg(e.mul(r.hi, r.lo)))
	near := e.fastTwoSum(e.c(1), e.neg(half))
	return sine, e.add(near.hi, e.add(near.lo, small))
}

// tanF64 is the tangent of the rest, or minus its inverse, which is refined with the tangent as a sum of two.
func tanF64(e expander, x []ir.Value) ir.Value {
	a := e.reduce(x[0])
	r := a.rest
	z := e.mul(r.hi, r.hi)
	cubic := e.mul(e.mul(z, e.poly(z, tanPoly64)), r.hi)
	whole := e.add(r.hi, cubic)
	// tan(r+d) = tan(r) + d·(1+tan²(r))
	t := e.fastTwoSum(r.hi, e.add(cubic, e.fma(r.lo, e.mul(whole, whole), r.lo)))
	inverse := e.div(e.c(-1), t.hi)
	lost := e.fma(t.lo, inverse, e.fma(t.hi, inverse, e.c(1)))
	inverse = e.fma(lost, inverse, inverse)
	return e.signedZero(x[0], e.Select(e.bit(a.quadrant, 1), inverse, t.hi))
}
