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
// off, not rounded, so that none is negative. The second of f64 has 27 bits. So a difference with
// its products is exact where these are the greater part, and of three roundings only the last takes something.
var (
	halfPi32 = []float64{1.570796251296997, 7.549789415861596e-08, 5.390302529957765e-15}
	halfPi64 = []float64{1.5707963267948966, 6.123233932053594e-17, 6.36831716351095e-25}
)

// Up to these limits the parts of π/2 are enough, since the multiple is exact and cancellation leaves enough
// digits.
const largeAngle32, largeAngle64 = 1 << 16, 1 << 26

// reduce takes an angle of f32 modulo π/2 (Cody and Waite; for large angles Payne and Hanek, in a branch of its own).
func (e expander) reduce(x ir.Value) angle {
	parts := halfPi32
	sum := e.fma(x, e.c(2/math.Pi), e.c(e.magic()))
	n := e.sub(sum, e.c(e.magic()))
	// The first difference is exact. The second may cancel as far as to the last bits of n·parts[1], which therefore
	// must be exact too.
	first := e.fma(e.neg(n), e.c(parts[0]), x)
	second := e.twoProduct(n, e.c(parts[1]))
	rest := e.twoDifference(first, second.hi)
	rest = e.fastTwoSum(rest.hi, e.sub(rest.lo, e.fma(n, e.c(parts[2]), second.lo)))
	out := e.If(e.CmpF("oge", e.abs(x), e.c(largeAngle32)), func() []ir.Value {
		a := e.reduceLarge32(x)
		return []ir.Value{a.rest.hi, a.rest.lo, a.quadrant}
	}, rest.hi, rest.lo, e.toBits(sum))
	return angle{pair{out[0], out[1]}, out[2]}
}

// bit reports whether a bit of an integer is set.
func (e expander) bit(v ir.Value, mask int64) ir.Value {
	return e.CmpI("ne", e.Op(arith.AndI, v, e.i(mask)), e.i(0))
}

// signedZero returns y, but a zero x itself, whose sign arithmetic may lose.
func (e expander) signedZero(x, y ir.Value) ir.Value {
	return e.Select(e.CmpF("oeq", x, e.c(0)), x, y)
}
