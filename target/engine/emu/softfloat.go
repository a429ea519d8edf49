package emu

import (
	"math"
	"math/bits"
)

// rounding is an IEEE 754 rounding direction.
type rounding uint8

const (
	rnNearest rounding = iota // ties to even
	rnZero
	rnDown // towards minus infinity
	rnUp   // towards plus infinity
	rnAway // nearest, ties away from zero
)

// top tells how a format uses its largest exponent.
type top uint8

const (
	topIEEE   top = iota // infinity and NaNs
	topOneNaN            // numbers, except all ones, which is NaN
	topNumber            // numbers only
)

// format describes a binary floating-point format of at most 64 bits.
type format struct {
	ebits, mbits int
	top          top
	nan          uint64 // canonical NaN
}

var (
	fmtF64  = &format{11, 52, topIEEE, 0x7ff8000000000000}
	fmtF32  = &format{8, 23, topIEEE, 0x7fffffff}
	fmtF16  = &format{5, 10, topIEEE, 0x7fff}
	fmtBF16 = &format{8, 7, topIEEE, 0x7fff}
	fmtTF32 = &format{8, 10, topIEEE, 0x3ffff}
	fmtE5M2 = &format{5, 2, topIEEE, 0x7f}
	fmtE4M3 = &format{4, 3, topOneNaN, 0x7f}
	fmtE2M3 = &format{2, 3, topNumber, 0}
	fmtE3M2 = &format{3, 2, topNumber, 0}
	fmtE2M1 = &format{2, 1, topNumber, 0}
)

func (f *format) width() int   { return 1 + f.ebits + f.mbits }
func (f *format) bias() int    { return 1<<(f.ebits-1) - 1 }
func (f *format) sign() uint64 { return 1 << (f.ebits + f.mbits) }

// largest is the magnitude of the greatest finite number.
func (f *format) largest() uint64 {
	ones := mask(f.ebits + f.mbits)
	switch f.top {
	case topIEEE:
		return ones - 1<<f.mbits
	case topOneNaN:
		return ones - 1
	}
	return ones
}

// infinity is the magnitude that an overflow to infinity yields; formats
// without an infinity yield NaN or, having none, their greatest number.
func (f *format) infinity() uint64 {
	switch f.top {
	case topIEEE:
		return mask(f.ebits) << f.mbits
	case topOneNaN:
		return f.nan
	}
	return f.largest()
}

// decode converts a bit pattern to the float64 that has its value; every
// format here is a subset of binary64.
func (f *format) decode(v uint64) float64 {
	neg := v&f.sign() != 0
	e := int(v >> f.mbits & mask(f.ebits))
	m := v & mask(f.mbits)
	var x float64
	switch {
	case f.top == topIEEE && e == 1<<f.ebits-1:
		if x = math.Inf(1); m != 0 {
			return math.NaN()
		}
	case f.top == topOneNaN && v&^f.sign() == f.nan:
		return math.NaN()
	case f == fmtF64:
		return f64from(v)
	case e == 0:
		x = float64(m) * f64from(uint64(1023+1-f.bias()-f.mbits)<<52)
	default:
		x = f64from(uint64(e+1023-f.bias())<<52 | m<<(52-f.mbits))
	}
	if neg {
		return -x
	}
	return x
}

// round converts x to the format. When x stands for an inexact result, it
// must have been rounded to odd (see odd) so that this second rounding is
// the only one that shows.
func (f *format) round(x float64, r rounding) uint64 {
	b := math.Float64bits(x)
	if r == rnNearest {
		if v, ok := f.nearestNormal(b); ok {
			return v
		}
	}
	neg := b>>63 != 0
	e := int(b >> 52 & 0x7ff)
	m := b & mask(52)
	switch {
	case e == 0x7ff && m != 0:
		return f.nan
	case e == 0x7ff:
		return f.signed(neg, f.infinity())
	case e == 0 && m == 0:
		return f.signed(neg, 0)
	case e == 0:
		e = 1
	default:
		m |= 1 << 52
	}
	return f.pack(neg, m, e-1075, r)
}

// nearestNormal rounds the double of pattern b to nearest even if it lies
// between the smallest normal and the largest finite number of the format.
// Adding just under half of the last place that is kept, and one more if
// that place is odd, carries exactly when rounding goes up.
func (f *format) nearestNormal(b uint64) (uint64, bool) {
	drop := (52 - f.mbits) & 63
	rebias := uint64(1023-f.bias()) << 52
	m := b &^ (1 << 63)
	if m < rebias+1<<52 || drop == 0 {
		return 0, false
	}
	m = (m - rebias + (1<<(drop-1) - 1) + m>>drop&1) >> drop
	if m > f.largest() {
		return 0, false
	}
	return m | b>>63<<(f.ebits+f.mbits), true
}

// pack rounds m * 2^e, m not zero, to the format.
func (f *format) pack(neg bool, m uint64, e int, r rounding) uint64 {
	if m == 0 {
		return f.signed(neg, 0)
	}
	lead := bits.LeadingZeros64(m)
	m <<= lead
	e -= lead // value = m * 2^e with the top bit of m set
	// The exponent field of a normal number, and the number of low bits of
	// m to drop so that mbits+1 (fewer when subnormal) remain.
	field := e + 63 + f.bias()
	drop := 63 - f.mbits
	if field < 1 {
		drop += 1 - field
		field = 1
	}
	var kept, rest, half uint64
	switch {
	case drop <= 0:
		kept = m
	case drop < 64:
		kept, rest, half = m>>drop, m&mask(drop), 1<<(drop-1)
	case drop == 64:
		rest, half = m, 1<<63
	default: // far below half of the smallest number
		rest, half = 1, 2
	}
	up := false
	switch r {
	case rnNearest:
		up = rest > half || rest == half && half != 0 && kept&1 != 0
	case rnAway:
		up = rest >= half && half != 0
	case rnDown:
		up = neg && rest != 0
	case rnUp:
		up = !neg && rest != 0
	}
	if up {
		kept++
	}
	// Adding instead of or-ing carries a full mantissa into the exponent,
	// and turns the greatest subnormal into the smallest normal.
	v := uint64(field-1)<<f.mbits + kept
	if field > 1<<f.ebits || v > f.largest() {
		if r == rnZero || r == rnDown && !neg || r == rnUp && neg {
			return f.signed(neg, f.largest())
		}
		return f.signed(neg, f.infinity())
	}
	return f.signed(neg, v)
}

func (f *format) signed(neg bool, v uint64) uint64 {
	if neg {
		return v | f.sign()
	}
	return v
}

func (f *format) isNaN(v uint64) bool {
	v &^= f.sign()
	switch f.top {
	case topIEEE:
		return v > f.infinity()
	case topOneNaN:
		return v == f.nan
	}
	return false
}

// odd nudges s, the nearest double to an exact result s+err, to the
// neighbour with an odd last bit when err is not zero: "round to odd"
// (Boldo and Melquiond). Rounding that once more to a format of at most 50
// bits gives the same as rounding the exact result directly.
func odd(s, err float64) float64 {
	b := math.Float64bits(s)
	if err == 0 || b&1 != 0 || b>>52&0x7ff == 0x7ff || err != err {
		return s
	}
	if s == 0 {
		return s
	}
	if (err > 0) == (s > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// addOdd is a+b rounded to odd.
func addOdd(a, b float64) float64 {
	s := a + b
	bb := s - a
	return odd(s, (a-(s-bb))+(b-bb))
}

// fmaOdd is a*b+c rounded to odd, for a and b of at most 26 bits, whose
// product is exact.
func fmaOdd(a, b, c float64) float64 { return addOdd(a*b, c) }

// divOdd is a/b rounded to odd, for operands of at most 26 bits in a range
// that keeps the residual exact.
func divOdd(a, b float64) float64 {
	q := a / b
	if q == 0 || math.IsInf(q, 0) || q != q {
		return q
	}
	r := math.FMA(-q, b, a)
	if b < 0 {
		r = -r
	}
	return odd(q, r)
}

// sqrtOdd is the square root of a rounded to odd.
func sqrtOdd(a float64) float64 {
	s := math.Sqrt(a)
	if s == 0 || math.IsInf(s, 0) || s != s {
		return s
	}
	return odd(s, math.FMA(-s, s, a))
}

func f32from(v uint64) float32 { return math.Float32frombits(uint32(v)) }
func f32bits(f float32) uint64 { return uint64(math.Float32bits(f)) }
func f64from(v uint64) float64 { return math.Float64frombits(v) }
func f64bits(f float64) uint64 { return math.Float64bits(f) }
