package emu

import "math"

const (
	nanF32  = 0x7fffffff
	signF32 = 1 << 31
)

// canon is the bit pattern of an f32 result: every NaN is the canonical
// one.
func canon(f float32) uint64 {
	if f != f {
		return nanF32
	}
	return f32bits(f)
}

// roundF32 rounds x, exact or rounded to odd.
func roundF32(x float64, r rounding) float32 {
	if r == rnNearest {
		return float32(x)
	}
	return f32from(fmtF32.round(x, r))
}

// downZero is the result of a sum that cancels exactly when rounding down.
func downZero(s float64, r rounding, same bool) float64 {
	if s == 0 && r == rnDown && !same {
		return math.Copysign(0, -1)
	}
	return s
}

func addF32(a, b float32, r rounding) float32 {
	if r == rnNearest {
		return a + b
	}
	x, y := float64(a), float64(b)
	return roundF32(downZero(addOdd(x, y), r, x == 0 && y == 0 && math.Signbit(x) == math.Signbit(y)), r)
}

func mulF32(a, b float32, r rounding) float32 {
	if r == rnNearest {
		return a * b
	}
	return roundF32(float64(a)*float64(b), r)
}

func fmaF32(a, b, c float32, r rounding) float32 {
	p, z := float64(a)*float64(b), float64(c)
	s := addOdd(p, z)
	if r != rnNearest {
		s = downZero(s, r, p == 0 && z == 0 && math.Signbit(p) == math.Signbit(z))
	}
	return roundF32(s, r)
}

func divF32(a, b float32, r rounding) float32 {
	return roundF32(divOdd(float64(a), float64(b)), r)
}

func sqrtF32(a float32, r rounding) float32 {
	return roundF32(sqrtOdd(float64(a)), r)
}

// flush replaces an f32 subnormal by the zero of its sign.
func flush(v uint64) uint64 {
	if v&0x7f800000 == 0 {
		return v & signF32
	}
	return v
}

// clamp01 saturates to [0, 1]; NaN becomes +0.
func clamp01(v uint64) uint64 {
	switch f := f32from(v); {
	case f >= 1:
		return 0x3f800000
	case f > 0:
		return v
	}
	return 0
}

// modF32 wraps scalar functions with .ftz and .sat.
type modF32 struct{ ftz, sat bool }

func (o modF32) wrap1(f func(a uint64) uint64) func(a uint64) uint64 {
	if o.ftz {
		g := f
		f = func(a uint64) uint64 { return flush(g(flush(a))) }
	}
	if o.sat {
		g := f
		f = func(a uint64) uint64 { return clamp01(g(a)) }
	}
	return f
}

func (o modF32) wrap2(f func(a, b uint64) uint64) func(a, b uint64) uint64 {
	if o.ftz {
		g := f
		f = func(a, b uint64) uint64 { return flush(g(flush(a), flush(b))) }
	}
	if o.sat {
		g := f
		f = func(a, b uint64) uint64 { return clamp01(g(a, b)) }
	}
	return f
}

func (o modF32) wrap3(f func(a, b, c uint64) uint64) func(a, b, c uint64) uint64 {
	if o.ftz {
		g := f
		f = func(a, b, c uint64) uint64 { return flush(g(flush(a), flush(b), flush(c))) }
	}
	if o.sat {
		g := f
		f = func(a, b, c uint64) uint64 { return clamp01(g(a, b, c)) }
	}
	return f
}

// minMaxF32 is min or max: a NaN operand gives the other one, or, with
// nan, NaN; -0 is below +0. With xorsign the magnitudes are compared and
// the sign is the exclusive or of both.
func minMaxF32(greatest, ftz, nan, xorsign bool) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 {
		if ftz {
			a, b = flush(a), flush(b)
		}
		var sign uint64
		if xorsign {
			sign = (a ^ b) & signF32
			a, b = a&^signF32, b&^signF32
		}
		an, bn := fmtF32.isNaN(a), fmtF32.isNaN(b)
		switch {
		case an && bn || nan && (an || bn):
			return nanF32
		case an:
			return b | sign
		case bn:
			return a | sign
		}
		if less(a, b, signF32) == greatest {
			a = b
		}
		return a | sign
	}
}

// less orders bit patterns of a sign-magnitude format, with -0 below +0.
func less(a, b, sign uint64) bool {
	if (a^b)&sign != 0 {
		return a&sign != 0
	}
	return (a < b) != (a&sign != 0) && a != b
}

// The approximate f32 functions. Each gives the double-precision result
// rounded once, with the special cases that the ISA documents.

func rcpApprox(a uint64) uint64   { return canon(float32(1 / float64(f32from(a)))) }
func sqrtApprox(a uint64) uint64  { return canon(float32(math.Sqrt(float64(f32from(a))))) }
func rsqrtApprox(a uint64) uint64 { return canon(float32(rsqrt(float64(f32from(a))))) }
func sinApprox(a uint64) uint64   { return canon(float32(math.Sin(float64(f32from(a))))) }
func cosApprox(a uint64) uint64   { return canon(float32(math.Cos(float64(f32from(a))))) }
func lg2Approx(a uint64) uint64   { return canon(float32(math.Log2(float64(f32from(a))))) }
func ex2Approx(a uint64) uint64   { return canon(float32(math.Exp2(float64(f32from(a))))) }
func tanhApprox(a uint64) uint64  { return canon(float32(math.Tanh(float64(f32from(a))))) }

// rsqrt is 1/sqrt(x); of -0 it is -infinity.
func rsqrt(x float64) float64 {
	if x == 0 {
		return math.Copysign(math.Inf(1), x)
	}
	return 1 / math.Sqrt(x)
}

// divApprox is a * (1/b): between 2^126 and 2^128 the reciprocal is
// flushed to zero, as the ISA documents.
func divApprox(a, b uint64) uint64 {
	x, y := float64(f32from(a)), float64(f32from(b))
	if ay := math.Abs(y); ay > 0x1p126 && ay < 0x1p128 {
		return canon(float32(x * math.Copysign(0, y)))
	}
	return canon(float32(x / y))
}
