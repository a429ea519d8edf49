package expandmath

import (
	"math"

	"github.com/tilewright/tilewright/dialects/arith"
	"github.com/tilewright/tilewright/ir"
)

// reduceShort takes an angle modulo π/2, as reduce does, with a rest of one number. Of angles below the limit, the first
// difference is exact: it is below 2, and a multiple of the last place of the first part. The others lose half of the
// last place of what is left.
func (e expander) reduceShort(x ir.Value) (rest, quadrant ir.Value) {
	sum := e.fma(x, e.c(2/math.Pi), e.c(e.magic()))
	minus := e.sub(e.c(e.magic()), sum)
	rest = x
	for _, part := range halfPi32 {
		rest = e.fma(minus, e.c(part), rest)
	}
	out := e.If(e.CmpF("oge", e.abs(x), e.c(largeAngle32)), func() []ir.Value {
		a := e.reduceLarge32(x)
		return []ir.Value{a.rest.hi, a.quadrant}
	}, rest, e.toBits(sum))
	return out[0], out[1]
}

func sinShort(e expander, x []ir.Value) ir.Value { return e.signedZero(x[0], e.circularShort(x[0], 0)) }
func cosShort(e expander, x []ir.Value) ir.Value { return e.circularShort(x[0], 1) }

// circularShort returns sin(x + shift·π/2): first·(1 + z·p(z)) of the rest's square z. First and coefficients are those
// of the sine or of the cosine, which has one more.
func (e expander) circularShort(x ir.Value, shift int64) ir.Value {
	sine, cosine := sinPoly32, append([]float64{-0.5}, cosPoly32...)
	rest, quadrant := e.reduceShort(x)
	if shift != 0 {
		quadrant = e.Op(arith.AddI, quadrant, e.i(shift))
	}
	odd := e.bit(quadrant, 1)
	z := e.mul(rest, rest)
	p := e.Select(odd, e.c(cosine[len(sine)]), e.c(0))
	for i := len(sine) - 1; i >= 0; i-- {
		p = e.fma(p, z, e.Select(odd, e.c(cosine[i]), e.c(sine[i])))
	}
	first := e.Select(odd, e.c(1), rest)
	v := e.fma(e.mul(first, z), p, first)
	return e.Select(e.bit(quadrant, 2), e.neg(v), v)
}

// tanShort is the tangent of the rest, or minus its reciprocal.
func tanShort(e expander, x []ir.Value) ir.Value {
	rest, quadrant := e.reduceShort(x[0])
	t := e.oddPoly(rest, tanPoly32)
	return e.signedZero(x[0], e.Select(e.bit(quadrant, 1), e.neg(e.reciprocal(t)), t))
}
