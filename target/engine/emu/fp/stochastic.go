package fp

import (
	"math"

	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// RoundRandom rounds x, of at most 24 bits, with n random bits.
//
// With random bits of all zeros it rounds towards zero, with all ones up in all but the last 2^-n of the cases.
func (f *Format) RoundRandom(x float64, random uint64, n int) uint64 {
	v := f.Round(x, TowardZero)
	if x != x || math.IsInf(x, 0) {
		return f.Round(x, Nearest)
	}
	low := v &^ f.Sign()
	ulp := f.Decode(1)
	if low >= 1<<f.MantissaBits {
		ulp = f.Decode(low&^num.Mask(f.MantissaBits)) / float64(uint64(1)<<f.MantissaBits)
	}
	if (math.Abs(x)-f.Decode(low))/ulp+math.Ldexp(float64(random), -n) < 1 {
		return v
	}
	if low == f.Largest() {
		return v&f.Sign() | f.Infinity()
	}
	return v + 1
}
