package fp

import (
	"math"
	"math/bits"

	"github.com/tilewright/tilewright/target/engine/emu/num"
)

// Satfinite is v, or the largest finite number for what overflows.
//
// What a NaN becomes depends on whether the format has one ("cvt", .satfinite); formats without an infinity overflow
// to their largest number anyway.
func (f *Format) Satfinite(x float64, v uint64) uint64 {
	if x != x {
		if f.Top == topNumber { // no NaN: the largest positive number
			return f.Largest()
		}
		return v
	}
	over := f.Top != topNumber && v&^f.Sign() == f.Infinity()
	if over {
		return v&f.Sign() | f.Largest()
	}
	return v
}

// Rounding is an IEEE 754 rounding direction.
type Rounding uint8

const (
	Nearest Rounding = iota // ties to even
	TowardZero
	Down // towards minus infinity
	Up   // towards plus infinity
	Away // nearest, ties away from zero
)

// Top says how a format uses its largest exponent.
type Top uint8

const (
	TopIEEE   Top = iota // infinity and NaNs
	topOneNaN            // numbers, except all ones, which is NaN
	topNumber            // numbers only
)

// Format describes a binary floating-point format of at most 64 bits.
//
// Every format is a subset of binary64, so that Go's float64 holds its values. One decode and one round make any
// operation on any format. A library for each format would have to be tested for each.
type Format struct {
	ExponentBits, MantissaBits int
	Top                        Top
	NaN                        uint64 // canonical NaN
}

var (
	// The canonical NaNs are those that the instructions of each format are documented to make. Those of f32 and the
	// halves have all bits of the mantissa set (f32: CUDA programming guide, "Floating-Point Standard").
	F64  = &Format{11, 52, TopIEEE, 0x7ff8000000000000}
	F32  = &Format{8, 23, TopIEEE, 0x7fffffff}
	F16  = &Format{5, 10, TopIEEE, 0x7fff}
	BF16 = &Format{8, 7, TopIEEE, 0x7fff}
	TF32 = &Format{8, 10, TopIEEE, 0x3ffff}
	E5M2 = &Format{5, 2, TopIEEE, 0x7f}
	E4M3 = &Format{4, 3, topOneNaN, 0x7f}
	E2M3 = &Format{2, 3, topNumber, 0}
	E3M2 = &Format{3, 2, topNumber, 0}
	E2M1 = &Format{2, 1, topNumber, 0}
)

// Width is the number of bits. The formats with no sign of their own, ue8m0 and ue4m3, are not Formats.
func (f *Format) Width() int   { return 1 + f.ExponentBits + f.MantissaBits }
func (f *Format) bias() int    { return 1<<(f.ExponentBits-1) - 1 }
func (f *Format) Sign() uint64 { return 1 << (f.ExponentBits + f.MantissaBits) }

// Largest is the magnitude of the greatest finite number.
func (f *Format) Largest() uint64 {
	ones := num.Mask(f.ExponentBits + f.MantissaBits)
	switch f.Top {
	case TopIEEE:
		return ones - 1<<f.MantissaBits
	case topOneNaN:
		return ones - 1
	}
	return ones
}

// Infinity is the magnitude that an overflow to infinity yields; formats
// without an infinity yield NaN or, having none, their greatest number.
func (f *Format) Infinity() uint64 {
	switch f.Top {
	case TopIEEE:
		return num.Mask(f.ExponentBits) << f.MantissaBits
	case topOneNaN:
		return f.NaN
	}
	return f.Largest()
}

// Decode converts a bit pattern to the float64 that has its value; every
// format here is a subset of binary64.
func (f *Format) Decode(v uint64) float64 {
	neg := v&f.Sign() != 0
	e := int(v >> f.MantissaBits & num.Mask(f.ExponentBits))
	m := v & num.Mask(f.MantissaBits)
	var x float64
	switch {
	case f.Top == TopIEEE && e == 1<<f.ExponentBits-1:
		if x = math.Inf(1); m != 0 {
			return math.NaN()
		}
	case f.Top == topOneNaN && v&^f.Sign() == f.NaN:
		return math.NaN()
	case f == F64:
		return Float64(v)
	case e == 0:
		x = float64(m) * Float64(uint64(1023+1-f.bias()-f.MantissaBits)<<52)
	default:
		x = Float64(uint64(e+1023-f.bias())<<52 | m<<(52-f.MantissaBits))
	}
	if neg {
		return -x
	}
	return x
}

// Round converts x to the format. When x stands for an inexact result, it
// must have been rounded to odd (see odd) so that this second rounding is
// the only one that shows.
func (f *Format) Round(x float64, r Rounding) uint64 {
	b := math.Float64bits(x)
	if r == Nearest {
		if v, ok := f.nearestNormal(b); ok {
			return v
		}
	}
	neg := b>>63 != 0
	e := int(b >> 52 & 0x7ff)
	m := b & num.Mask(52)
	switch {
	case e == 0x7ff && m != 0:
		return f.NaN
	case e == 0x7ff:
		return f.Signed(neg, f.Infinity())
	case e == 0 && m == 0:
		return f.Signed(neg, 0)
	case e == 0:
		e = 1
	default:
		m |= 1 << 52
	}
	return f.Pack(neg, m, e-1075, r)
}

// nearestNormal rounds the double of pattern b to nearest even if it lies
// between the smallest normal and the largest finite number of the format.
// Adding just under half of the last place that is kept, and one more if
// that place is odd, carries exactly when rounding goes up.
//
// This is the way of nearly all results. The plain one, pack, is kept beside it as the definition, and a test
// compares the two for every format.
func (f *Format) nearestNormal(b uint64) (uint64, bool) {
	drop := (52 - f.MantissaBits) & 63
	rebias := uint64(1023-f.bias()) << 52
	m := b &^ (1 << 63)
	if m < rebias+1<<52 || drop == 0 {
		return 0, false
	}
	m = (m - rebias + (1<<(drop-1) - 1) + m>>drop&1) >> drop
	if m > f.Largest() {
		return 0, false
	}
	return m | b>>63<<(f.ExponentBits+f.MantissaBits), true
}

// Pack rounds m * 2^e, m not zero, to the format.
//
// It takes any integer of 64 bits, so that conversions of integers round here too; binary64 could not hold them all.
func (f *Format) Pack(neg bool, m uint64, e int, r Rounding) uint64 {
	if m == 0 {
		return f.Signed(neg, 0)
	}
	lead := bits.LeadingZeros64(m)
	m <<= lead
	e -= lead // value = m * 2^e with the top bit of m set
	// The exponent field of a normal number, and the number of low bits of
	// m to drop so that mbits+1 (fewer when subnormal) remain.
	field := e + 63 + f.bias()
	drop := 63 - f.MantissaBits
	if field < 1 {
		drop += 1 - field
		field = 1
	}
	var kept, rest, half uint64
	switch {
	case drop <= 0:
		kept = m
	case drop < 64:
		kept, rest, half = m>>drop, m&num.Mask(drop), 1<<(drop-1)
	case drop == 64:
		rest, half = m, 1<<63
	default: // far below half of the smallest number
		rest, half = 1, 2
	}
	up := false
	switch r {
	case Nearest:
		up = rest > half || rest == half && half != 0 && kept&1 != 0
	case Away:
		up = rest >= half && half != 0
	case Down:
		up = neg && rest != 0
	case Up:
		up = !neg && rest != 0
	}
	if up {
		kept++
	}
	// Adding instead of or-ing carries a full mantissa into the exponent,
	// and turns the greatest subnormal into the smallest normal.
	v := uint64(field-1)<<f.MantissaBits + kept
	if field > 1<<f.ExponentBits || v > f.Largest() {
		if r == TowardZero || r == Down && !neg || r == Up && neg {
			return f.Signed(neg, f.Largest())
		}
		return f.Signed(neg, f.Infinity())
	}
	return f.Signed(neg, v)
}

func (f *Format) Signed(neg bool, v uint64) uint64 {
	if neg {
		return v | f.Sign()
	}
	return v
}

// IsNaN needs the kind of the format's top: e4m3 has one NaN where others have an infinity and many.
func (f *Format) IsNaN(v uint64) bool {
	v &^= f.Sign()
	switch f.Top {
	case TopIEEE:
		return v > f.Infinity()
	case topOneNaN:
		return v == f.NaN
	}
	return false
}

// MinMax is min or max: a NaN operand gives the other one, or, with
// nan, NaN; -0 is below +0. With xorsign the magnitudes are compared and
// the sign is the exclusive or of both.
//
// Those of Go return a NaN if there is one, so that they cannot be used; patterns are compared as integers with a
// sign.
func (f *Format) MinMax(greatest, nan, xorsign bool) func(a, b uint64) uint64 {
	signBit, infinity, none := f.Sign(), f.Infinity(), f.NaN // of the formats of arithmetic, whose NaNs are above infinity
	return func(a, b uint64) uint64 {
		var sign uint64
		if xorsign {
			sign = (a ^ b) & signBit
			a, b = a&^signBit, b&^signBit
		}
		aNaN, bNaN := a&^signBit > infinity, b&^signBit > infinity
		switch {
		case aNaN && bNaN || nan && (aNaN || bNaN):
			return none
		case aNaN:
			return b | sign
		case bNaN:
			return a | sign
		}
		if Less(a, b, signBit) == greatest {
			a = b
		}
		return a | sign
	}
}
