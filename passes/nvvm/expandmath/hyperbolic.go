package expandmath

import (
	"github.com/tilewright/tilewright/dialects/nvvm"
	"github.com/tilewright/tilewright/ir"
)

// Below this, tanh comes from a polynomial; above, from the exponential function, without loss of digits.
const tanhSmall = 0.55

func tanhNarrow(e expander, x []ir.Value) ir.Value {
	a := e.abs(x[0])
	e.ftz = true // which spares the assembler the cases of subnormal numbers; one is added to the power
	power := e.approximate(nvvm.Ex2Approx, e.mul(a, e.c(twoLog2E.hi)))
	// In this form there is no overflow to guard against: an infinite power has the reciprocal 0, and the result is 1.
	large := e.fma(e.c(-2), e.reciprocal(e.add(power, e.c(1))), e.c(1))
	return e.bySize(x[0], a, tanhSmall, e.oddPoly(a, tanhPoly32), large)
}

func tanhF64(e expander, x []ir.Value) ir.Value {
	a := e.abs(x[0])
	power := expDouble(e, e.add(a, a), 0)
	large := e.sub(e.c(1), e.div(e.c(2), e.add(power, e.c(1))))
	return e.bySize(x[0], a, tanhSmall, e.oddPoly(a, tanhPoly64), large)
}

// bySize returns the value of an odd function from those at |x|: small where that is below the limit, else large.
func (e expander) bySize(x, magnitude ir.Value, limit float64, small, large ir.Value) ir.Value {
	return e.copySign(e.Select(e.CmpF("olt", magnitude, e.c(limit)), small, large), x)
}

// halfExp returns e^x/2, which does not overflow before sinh and cosh do.
func (e expander) halfExp(x ir.Value) ir.Value {
	if e.single() {
		return expSingle(e, x, -1)
	}
	return expDouble(e, x, -1)
}

// ratio is x/y; in f32, which only narrower formats compute so, by a reciprocal that flushes subnormal numbers.
func (e expander) ratio(x, y ir.Value) ir.Value {
	if e.single() {
		return e.mul(x, e.reciprocal(y))
	}
	return e.div(x, y)
}

func sinh(e expander, x []ir.Value) ir.Value {
	a := e.abs(x[0])
	half := e.halfExp(a)
	// The second exponential is a quarter over half of the first: a division is cheaper than another function. Below 1 the difference would lose digits, so
	// that is a polynomial.
	large := e.sub(half, e.ratio(e.c(0.25), half))
	coefficients := sinhPoly32
	if !e.single() {
		coefficients = sinhPoly64
	}
	return e.bySize(x[0], a, 1, e.oddPoly(a, coefficients), large)
}

func cosh(e expander, x []ir.Value) ir.Value {
	half := e.halfExp(e.abs(x[0]))
	return e.add(half, e.ratio(e.c(0.25), half))
}
