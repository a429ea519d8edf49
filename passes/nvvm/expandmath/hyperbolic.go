package expandmath

import "github.com/tilewright/tilewright/ir"

// Below these limits, tanh is computed by a polynomial; above, from the exponential function, without loss of digits.
const tanhSmall32, tanhSmall64 = 0.62, 0.55

func tanhF64(e expander, x []ir.Value) ir.Value {
	a := e.abs(x[0])
	power := expDouble(e, e.add(a, a), 0)
	large := e.sub(e.c(1), e.div(e.c(2), e.add(power, e.c(1))))
	return e.bySize(x[0], a, tanhSmall64, e.oddPoly(a, tanhPoly64), large)
}

// bySize returns an odd function of x, given its values at |x|: small below the limit, else large.
func (e expander) bySize(x, magnitude ir.Value, limit float64, small, large ir.Value) ir.Value {
	return e.copySign(e.Select(e.CmpF("olt", magnitude, e.c(limit)), small, large), x)
}

func sinhF64(e expander, x []ir.Value) ir.Value {
	a := e.abs(x[0])
	half := expDouble(e, a, -1)
	// The second exponential is a quarter over half of the first: a division is cheaper than another function. Below
	// 1 the difference would lose digits, so that is a polynomial.
	large := e.sub(half, e.div(e.c(0.25), half))
	return e.bySize(x[0], a, 1, e.oddPoly(a, sinhPoly64), large)
}

// coshF64 halves the power first: e^x/2 does not overflow before cosh does.
func coshF64(e expander, x []ir.Value) ir.Value {
	half := expDouble(e, e.abs(x[0]), -1)
	return e.add(half, e.div(e.c(0.25), half))
}
