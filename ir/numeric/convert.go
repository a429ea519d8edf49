package numeric

import (
	"math"
	"math/bits"
)

// FromInt returns the integer a of type w, rounded once. Beyond the range it overflows like every other operation:
// to infinity where the mode and the format allow it, else to the largest finite value.
func (f Format) FromInt(w Int, a uint64, signed bool, env Env) uint64 {
	negative := signed && w.Signed(a) < 0
	if negative {
		a = uint64(-w.Signed(a))
	}
	if a == 0 {
		return f.Zero(false)
	}
	// From the integer itself, not by way of float64: i64 has more digits than that, and would be rounded twice.
	n := bits.LeadingZeros64(a)
	return specs[f].round(negative, 63-n, a<<n, env)
}

// ToInt rounds b to an integer and returns it as type w. A NaN, an infinity and a value outside the type are
// undefined, and the second result is false. The first result is then what the saturating form of ftoi (and PTX)
// yields: 0 for a NaN, and else the nearest value of the type.
func (f Format) ToInt(b uint64, w Int, signed bool, rounding Rounding) (uint64, bool) {
	x := rounding.integral(f.Decode(b))
	if x != x {
		return 0, false
	}
	if !signed {
		switch {
		case x < 0:
			return 0, false
		// The limits are powers of two and exact; the largest number of 64 bits is no float64.
		case x >= math.Ldexp(1, int(w)):
			return w.Mask(), false
		}
		return uint64(x), true
	}
	limit := math.Ldexp(1, int(w)-1)
	switch {
	case x < -limit:
		return w.MinSigned(), false
	case x >= limit:
		return w.MaxSigned(), false
	}
	return w.Wrap(uint64(int64(x))), true
}

// Integral rounds b to an integral value of the same format. It is exact where the format holds that value; Floor and
// Ceil are the NegInf and PosInf directions.
func (f Format) Integral(b uint64, env Env) uint64 {
	return f.Encode(env.Rounding.integral(f.operand(b, env)), env)
}

// Floor rounds down to an integral value.
func (f Format) Floor(b uint64, env Env) uint64 {
	env.Rounding = NegInf
	return f.Integral(b, env)
}

// Ceil rounds up to an integral value.
func (f Format) Ceil(b uint64, env Env) uint64 {
	env.Rounding = PosInf
	return f.Integral(b, env)
}

func (r Rounding) integral(x float64) float64 {
	switch r {
	case NearestEven:
		return math.RoundToEven(x)
	case NegInf:
		return math.Floor(x)
	case PosInf:
		return math.Ceil(x)
	case NearestAway:
		return math.Round(x)
	}
	return math.Trunc(x)
}
