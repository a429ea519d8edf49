package fp

import (
	"math"
)

// ToUE8M0 converts to the exponent-only format: 2^(v-127), 0xff is NaN.
// Rounding is towards zero or towards infinity; out-of-range values
// saturate.
func ToUE8M0(x float64, r Rounding) uint64 {
	x = math.Abs(x)
	switch {
	case x != x:
		return 0xff
	case math.IsInf(x, 0):
		return 0xfe
	case x == 0:
		return 0
	}
	frac, e := math.Frexp(x) // x = frac * 2^e, 0.5 <= frac < 1
	e--
	if r == Up && frac > 0.5 {
		e++
	}
	return uint64(min(max(e+127, 0), 0xfe))
}

// FromUE8M0 is the power of two of an exponent; there is no zero.
func FromUE8M0(v uint64) float64 {
	if v == 0xff {
		return math.NaN()
	}
	return math.Ldexp(1, int(v)-127)
}
