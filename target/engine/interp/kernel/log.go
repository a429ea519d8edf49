package kernel

import (
	"math"
)

// The logarithms of f32 are computed like the exponentials: a cheaper approximation nearly always determines the result
// of package numeric. For x = 2^e·m, 1/m is near an entry c of a table. So log x = e·log 2 - log c + log(m·c), where
// m·c is exact and within 2^-7 of one. The error is below 2^-52 of the largest of these terms, and no result outside of
// the neighbourhood of one is less than 2^-5 of it.

const logSteps = 128

// reciprocals are 1/m in the middle of each step, in so few bits that products with f32 are exact, and the negative
// of their logarithms.
var reciprocals = func() (t [logSteps]struct{ c, log float64 }) {
	for i := range t {
		t[i].c = math.Round(0x1p20/(1+(float64(i)+0.5)/logSteps)) * 0x1p-20
		t[i].log = -math.Log(t[i].c)
	}
	return t
}()

// logF32 returns the kernel that takes logarithms of f32 elements, to nearest even; unit is the logarithm of e.
func logF32(unit float64, slow func(x uint64) uint64) Unary {
	const (
		mantissa = 23
		dropped  = 52 - mantissa
		least    = 1 << mantissa    // the smallest normal number
		infinity = 0xff << mantissa // the first pattern that is no number
		bias     = 127
	)
	// Next to one the terms cancel each other.
	below, above := uint64(math.Float32bits(0.96875)), uint64(math.Float32bits(1.03125))
	return func(out, a []uint64) {
		a = a[:len(out)]
		for i, b := range a {
			if b < least || b >= infinity || b >= below && b <= above {
				out[i] = slow(b)
				continue
			}
			entry := &reciprocals[b>>(mantissa-7)%logSteps]
			m := math.Float64frombits(0x3ff<<52 | (b&(least-1))<<dropped)
			r := m*entry.c - 1
			p := r * (1 - r*(1./2-r*(1./3-r*(1./4-r*(1./5-r*(1./6-r*(1./7)))))))
			y := math.Float64bits((float64(int64(b>>mantissa)-bias)*math.Ln2 + entry.log + p) * unit)
			if y&(1<<dropped-1)-(1<<(dropped-1)-1<<8) < 2<<8 {
				out[i] = slow(b)
				continue
			}
			out[i] = uint64(math.Float32bits(float32(math.Float64frombits(y))))
		}
	}
}
