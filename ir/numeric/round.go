package numeric

import (
	"math"
	"math/bits"
)

// Rounding is a rounding direction.
type Rounding uint8

// The rounding directions. NearestAway breaks ties away from zero (PTX .rna).
const (
	NearestEven Rounding = iota
	Zero
	NegInf
	PosInf
	NearestAway
)

var roundingNames = [...]string{"nearest_even", "zero", "negative_inf", "positive_inf", "nearest_away"}

func (r Rounding) String() string {
	if int(r) >= len(roundingNames) {
		return "invalid"
	}
	return roundingNames[r]
}

// Env is the environment of an operation. The zero value is IEEE 754's default.
type Env struct {
	Rounding    Rounding
	FlushToZero bool // subnormal operands and results become zeros of their sign
	Saturate    bool // overflow and infinities yield the largest finite value, in every format
}

// up says whether a magnitude moves away from zero: kept is the truncated significand and rest the discarded part,
// as a fraction of 2^64 of the last kept place.
func (r Rounding) up(negative bool, kept, rest uint64) bool {
	const half = 1 << 63
	switch r {
	case NearestEven:
		return rest > half || rest == half && kept&1 != 0
	case NearestAway:
		return rest >= half
	case NegInf:
		return negative && rest != 0
	case PosInf:
		return !negative && rest != 0
	}
	return false
}

// round returns the pattern of ±sig·2^(exp-63). Bit 63 of sig is set, and its bit 0 is also set when something smaller
// was discarded. 64 bits are enough for that because no format keeps more than 53.
func (s *Spec) round(negative bool, exp int, sig uint64, env Env) uint64 {
	if !s.Signed {
		negative = false
	}
	m := s.roundMagnitude(negative, exp, sig, env)
	if env.FlushToZero && s.Subnormal && m < 1<<s.Man {
		m = 0
	}
	return s.join(m, negative)
}

func (s *Spec) roundMagnitude(negative bool, exp int, sig uint64, env Env) uint64 {
	emin := -s.Bias
	if s.Subnormal {
		emin++
	}
	drop := 63 - s.Man
	if exp < emin {
		if !s.Subnormal {
			return 0 // the smallest value
		}
		drop += emin - exp
	}
	var kept, rest uint64
	switch {
	case drop < 64:
		kept, rest = sig>>drop, sig<<(64-drop)
	case drop == 64:
		rest = sig
	default:
		rest = 1 // below half of the smallest value
	}
	if env.Rounding.up(negative, kept, rest) {
		kept++
	}
	// Adding the significand with its leading bit onto the exponent field below lets a carry step into the exponent.
	m := kept
	if exp >= emin {
		if exp > emin+1<<s.Exp {
			return s.overflow(negative, env)
		}
		m += uint64(exp-emin) << s.Man
		if !s.Subnormal {
			m -= 1 << s.Man
		}
	}
	if m > s.MaxFinite {
		return s.overflow(negative, env)
	}
	return m
}

// overflow returns the magnitude of a finite result beyond the largest finite value.
// IEEE 754-2019, 7.4: a directed mode overflows to infinity only in its own direction.
func (s *Spec) overflow(negative bool, env Env) uint64 {
	if s.Saturate || env.Saturate || !s.HasInf {
		return s.MaxFinite
	}
	switch env.Rounding {
	case Zero:
		return s.MaxFinite
	case NegInf:
		if !negative {
			return s.MaxFinite
		}
	case PosInf:
		if negative {
			return s.MaxFinite
		}
	}
	return s.Inf
}

// infinite returns the pattern of an infinite result.
func (s *Spec) infinite(negative, saturate bool) uint64 {
	if s.Saturate || saturate || !s.HasInf {
		return s.join(s.MaxFinite, negative)
	}
	return s.join(s.Inf, negative)
}

// Encode returns the pattern of x, rounded once. Flushing concerns the result only.
func (f Format) Encode(x float64, env Env) uint64 {
	b := math.Float64bits(x)
	s := &specs[f]
	if env == (Env{}) {
		switch {
		case x != x:
			return f.NaN()
		case f == F64:
			return b
		case f == F32:
			return uint64(math.Float32bits(float32(x)))
		}
		if m, ok := s.nearestNormal(b); ok {
			return m
		}
	}
	negative := b>>63 != 0
	exp := int(b >> 52 & 0x7ff)
	sig := b << 12 >> 1
	switch {
	case exp == 0x7ff && sig != 0:
		return f.NaN()
	case exp == 0x7ff:
		return s.infinite(negative, env.Saturate)
	case exp == 0 && sig == 0:
		return f.Zero(negative)
	case exp == 0:
		shift := bits.LeadingZeros64(sig)
		return s.round(negative, -1022-shift, sig<<shift, env)
	}
	return s.round(negative, exp-1023, sig|1<<63, env)
}

// nearestNormal rounds the float64 pattern b to nearest even if it lies between the smallest normal and the largest
// finite value of a signed format. Adding just under half of the last kept place, and one more if that place is odd,
// carries exactly when rounding goes up.
func (s *Spec) nearestNormal(b uint64) (uint64, bool) {
	shift := (52 - s.Man) & 63
	rebias := uint64(1023-s.Bias) << 52
	m := b &^ (1 << 63)
	if m < rebias+1<<52 || !s.Signed {
		return 0, false
	}
	m = (m - rebias + (1<<(shift-1) - 1) + m>>shift&1) >> shift
	if m > s.MaxFinite {
		return 0, false
	}
	return (m | b>>63<<(s.Exp+s.Man)) << s.Pad, true
}

// Convert rounds the value b of format from to format f.
// By way of float64 without rounding twice, because every format decodes to it exactly.
func (f Format) Convert(from Format, b uint64, env Env) uint64 {
	if env.FlushToZero && from.IsSubnormal(b) {
		b = from.Zero(from.Signbit(b))
	}
	return f.Encode(from.Decode(b), env)
}
