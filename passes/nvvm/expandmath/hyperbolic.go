package expandmath

import "github.com/tilewright/tilewright/ir"

// Below this limit, tanh is computed by a polynomial; above, from the exponential function, without loss of digits.
const tanhSmall32 = 0.62

// bySize returns an odd function of x, given its values at |x|: small below the limit, else large.
func (e expander) bySize(x, magnitude ir.Value, limit float64, small, large ir.Value) ir.Value {
	return e.copySign(e.Select(e.CmpF("olt", magnitude, e.c(limit)), small, large), x)
}
