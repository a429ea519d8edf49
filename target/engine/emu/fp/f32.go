package fp

import (
	"math"
)

const (
	NaNF32  = 0x7fffffff
	SignF32 = 1 << 31
)

// Canonical is the bit pattern of an f32 result: every NaN is the canonical
// one.
func Canonical(f float32) uint64 {
	if f != f {
		return NaNF32
	}
	return Bits32(f)
}

// roundF32 rounds x, exact or rounded to odd.
//
// Nearest is left to Go's conversion, which rounds subnormals correctly too.
func roundF32(x float64, r Rounding) float32 {
	if r == Nearest {
		return float32(x)
	}
	return Float32(F32.Round(x, r))
}

// downZero is the result of a sum that cancels exactly when rounding down.
func downZero(s float64, r Rounding, same bool) float64 {
	if s == 0 && r == Down && !same {
		return math.Copysign(0, -1)
	}
	return s
}

// The nearest sum is that of the processor: Go's addition of float32 rounds once, to 24 bits.
func AddF32(a, b float32, r Rounding) float32 {
	if r == Nearest {
		return a + b
	}
	x, y := float64(a), float64(b)
	return roundF32(downZero(addOdd(x, y), r, x == 0 && y == 0 && math.Signbit(x) == math.Signbit(y)), r)
}

// MulF32 is exact in binary64 before it is rounded: 48 bits.
func MulF32(a, b float32, r Rounding) float32 {
	if r == Nearest {
		return a * b
	}
	return roundF32(float64(a)*float64(b), r)
}

// There is no fused multiply-add of float32 in Go; math.FMA on doubles and a conversion would round twice.
func FmaF32(a, b, c float32, r Rounding) float32 {
	p, z := float64(a)*float64(b), float64(c)
	s := addOdd(p, z)
	if r != Nearest {
		s = downZero(s, r, p == 0 && z == 0 && math.Signbit(p) == math.Signbit(z))
	}
	return roundF32(s, r)
}

// DivF32 and SqrtF32 round to odd first, so that the second rounding, to 24 bits in any direction, sees the exact
// result.
func DivF32(a, b float32, r Rounding) float32 {
	return roundF32(divOdd(float64(a), float64(b)), r)
}

func SqrtF32(a float32, r Rounding) float32 {
	return roundF32(sqrtOdd(float64(a)), r)
}

// Flush replaces an f32 subnormal by the zero of its sign.
//
// PTX ISA, ".ftz": subnormal inputs and results become zeros with their signs; it exists for f32 and the halves, not
// for f64.
func Flush(v uint64) uint64 {
	if v&0x7f800000 == 0 {
		return v & SignF32
	}
	return v
}

// RoundTF32 rounds an f32 to the upper 19 bits, to the nearest, of two the even one. NaNs and infinities stay as they
// are.
func RoundTF32(v uint64) uint64 {
	const dropped, exponent = 13, 0x7f800000
	if v&exponent == exponent {
		return v
	}
	return (v + 1<<(dropped-1) - 1 + v>>dropped&1) &^ (1<<dropped - 1) & 0xffffffff // a carry steps into the exponent, up to infinity
}

// Saturate saturates to [0, 1]; NaN becomes +0.
func Saturate(v uint64) uint64 {
	switch f := Float32(v); {
	case f >= 1:
		return 0x3f800000
	case f > 0:
		return v
	}
	return 0
}

// ModF32 wraps scalar functions with .ftz and .sat.
type ModF32 struct{ Ftz, Sat bool }

// Wrap1, Wrap2 and Wrap3 are chosen when an instruction is decoded; without modifiers a function is not wrapped at
// all.
func (o ModF32) Wrap1(f func(a uint64) uint64) func(a uint64) uint64 {
	if o.Ftz {
		g := f
		f = func(a uint64) uint64 { return Flush(g(Flush(a))) }
	}
	if o.Sat {
		g := f
		f = func(a uint64) uint64 { return Saturate(g(a)) }
	}
	return f
}

func (o ModF32) Wrap2(f func(a, b uint64) uint64) func(a, b uint64) uint64 {
	if o.Ftz {
		g := f
		f = func(a, b uint64) uint64 { return Flush(g(Flush(a), Flush(b))) }
	}
	if o.Sat {
		g := f
		f = func(a, b uint64) uint64 { return Saturate(g(a, b)) }
	}
	return f
}

func (o ModF32) Wrap3(f func(a, b, c uint64) uint64) func(a, b, c uint64) uint64 {
	if o.Ftz {
		g := f
		f = func(a, b, c uint64) uint64 { return Flush(g(Flush(a), Flush(b), Flush(c))) }
	}
	if o.Sat {
		g := f
		f = func(a, b, c uint64) uint64 { return Saturate(g(a, b, c)) }
	}
	return f
}

// MinMaxF32 is MinMax of f32 with .ftz.
func MinMaxF32(greatest, ftz, nan, xorsign bool) func(a, b uint64) uint64 {
	f := F32.MinMax(greatest, nan, xorsign)
	if ftz {
		return func(a, b uint64) uint64 { return f(Flush(a), Flush(b)) }
	}
	return f
}

// Less orders bit patterns of a sign-magnitude format, with -0 below +0.
func Less(a, b, sign uint64) bool {
	if (a^b)&sign != 0 {
		return a&sign != 0
	}
	return (a < b) != (a&sign != 0) && a != b
}

// The approximate f32 functions. Each gives the double-precision result
// rounded once, with the special cases that the ISA documents.

// The ISA bounds their errors (for instance 2^-22 for ex2 on the reduced range, one ulp for rcp) and leaves the bits
// open. The correctly rounded value lies within every such bound and does not depend on the host. A test of a compiler
// sees the compiler's error without that of the hardware on top.
func RcpApprox(a uint64) uint64   { return Canonical(float32(1 / float64(Float32(a)))) }
func SqrtApprox(a uint64) uint64  { return Canonical(float32(math.Sqrt(float64(Float32(a))))) }
func RsqrtApprox(a uint64) uint64 { return Canonical(float32(Rsqrt(float64(Float32(a))))) }
func SinApprox(a uint64) uint64   { return Canonical(float32(math.Sin(float64(Float32(a))))) }
func CosApprox(a uint64) uint64   { return Canonical(float32(math.Cos(float64(Float32(a))))) }
func Lg2Approx(a uint64) uint64   { return Canonical(float32(math.Log2(float64(Float32(a))))) }
func Ex2Approx(a uint64) uint64   { return Canonical(float32(math.Exp2(float64(Float32(a))))) }
func TanhApprox(a uint64) uint64  { return Canonical(float32(math.Tanh(float64(Float32(a))))) }

// Rsqrt is 1/sqrt(x); of -0 it is -infinity.
func Rsqrt(x float64) float64 {
	if x == 0 {
		return math.Copysign(math.Inf(1), x)
	}
	return 1 / math.Sqrt(x)
}

// DivApprox is a * (1/b): between 2^126 and 2^128 the reciprocal is
// flushed to zero, as the ISA documents.
func DivApprox(a, b uint64) uint64 {
	x, y := float64(Float32(a)), float64(Float32(b))
	if ay := math.Abs(y); ay > 0x1p126 && ay < 0x1p128 {
		return Canonical(float32(x * math.Copysign(0, y)))
	}
	return Canonical(float32(x / y))
}
