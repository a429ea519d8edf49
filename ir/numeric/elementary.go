package numeric

import "math"

// The elementary functions are computed in float64 and rounded to the format: within 1 ulp for f32 and narrower (the
// float64 error is far below theirs). For f64, those that math computes with a larger error carry more digits.
// Special values are those of C's math library.

func (f Format) unary(b uint64, env Env, fn func(float64) float64) uint64 {
	return f.Encode(fn(f.operand(b, env)), env)
}

// finer chooses between a function of float64 and a slower one that is as good as f64 needs.
func (f Format) finer(fast, slow func(float64) float64) func(float64) float64 {
	if f == F64 {
		return slow
	}
	return fast
}

// Exp returns e^b.
func (f Format) Exp(b uint64, env Env) uint64 { return f.unary(b, env, math.Exp) }

// Exp2 returns 2^b.
func (f Format) Exp2(b uint64, env Env) uint64 { return f.unary(b, env, math.Exp2) }

// Log returns the natural logarithm.
func (f Format) Log(b uint64, env Env) uint64 { return f.unary(b, env, log) }

// Log2 returns the binary logarithm.
func (f Format) Log2(b uint64, env Env) uint64 { return f.unary(b, env, log2) }

// Sin returns the sine of b in radians, whatever its size.
func (f Format) Sin(b uint64, env Env) uint64 { return f.unary(b, env, f.finer(math.Sin, sinDouble)) }

// Cos returns the cosine of b in radians.
func (f Format) Cos(b uint64, env Env) uint64 { return f.unary(b, env, f.finer(math.Cos, cosDouble)) }

// Tan returns the tangent of b in radians.
func (f Format) Tan(b uint64, env Env) uint64 { return f.unary(b, env, f.finer(math.Tan, tanDouble)) }

// Sinh returns the hyperbolic sine.
func (f Format) Sinh(b uint64, env Env) uint64 { return f.unary(b, env, sinh) }

// Cosh returns the hyperbolic cosine.
func (f Format) Cosh(b uint64, env Env) uint64 { return f.unary(b, env, cosh) }

// Tanh returns the hyperbolic tangent.
func (f Format) Tanh(b uint64, env Env) uint64 { return f.unary(b, env, math.Tanh) }

// Rsqrt returns 1/√b.
func (f Format) Rsqrt(b uint64, env Env) uint64 {
	return f.unary(b, env, rsqrt)
}

// Atan2 returns the angle of the point (x, y), in the quadrant that the signs tell.
func (f Format) Atan2(y, x uint64, env Env) uint64 {
	return f.Encode(atan2(f.operand(y, env), f.operand(x, env)), env)
}

// Pow returns a^b.
func (f Format) Pow(a, b uint64, env Env) uint64 {
	return f.Encode(pow(f.operand(a, env), f.operand(b, env)), env)
}

// PowInt returns a^n.
func (f Format) PowInt(a uint64, n int32, env Env) uint64 {
	return f.Encode(pow(f.operand(a, env), float64(n)), env)
}

// largeHyperbolic is where e^|x| nears the largest float64 although half of it is still finite a little farther on.
const largeHyperbolic = 709

func sinh(x float64) float64 {
	switch a := math.Abs(x); {
	case a <= 0.25:
		return sinhSmall(x)
	case a < largeHyperbolic:
		return math.Copysign(hyperbolic(x, -1), x)
	}
	return math.Copysign(cosh(x), x)
}

func cosh(x float64) float64 {
	if math.Abs(x) < largeHyperbolic {
		return hyperbolic(x, 1)
	}
	half := math.Exp(math.Abs(x) / 2)
	return half / 2 * half
}

// log2 differs from math.Log2 just above 1, where that one adds an exponent of 1 to a fraction near 1/2 and cancels.
func log2(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	return log2Double(x).hi
}

// pow returns x^y as 2^(y·log2 x) with the exponent in double-double precision. math.Pow multiplies by repeated
// squaring, whose error grows with y. For 1.0000001^1e9 it keeps only half of the digits.
func pow(x, y float64) float64 {
	if !finiteNonzero(x) || !finiteNonzero(y) || x == 1 {
		return math.Pow(x, y)
	}
	negative := false
	if x < 0 {
		if y != math.Trunc(y) {
			return math.NaN()
		}
		negative = math.Mod(y, 2) != 0
	}
	l := log2Double(math.Abs(x))
	hi := y * l.hi
	var magnitude float64
	switch {
	case hi > 1025:
		magnitude = math.Inf(1)
	case hi < -1080:
	default:
		lo := math.FMA(y, l.hi, -hi) + y*l.lo
		n := math.RoundToEven(hi)
		e, k := expDouble(double{hi - n, lo}.mul(ln2))
		magnitude = math.Ldexp(e.hi, int(n)+k)
	}
	if negative {
		return -magnitude
	}
	return magnitude
}

// double is an unevaluated sum hi + lo with |lo| at most half an ulp of hi (Dekker, Numerische Mathematik 1971).
type double struct{ hi, lo float64 }

func fastTwoSum(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

func (a double) mul(b double) double {
	p := a.hi * b.hi
	return fastTwoSum(p, math.FMA(a.hi, b.hi, -p)+(a.hi*b.lo+a.lo*b.hi))
}

var (
	twoOverLn2 = double{2 * math.Log2E, 2 * 2.0355273740931033e-17}
	oneThird   = double{1. / 3, 1.850371707708594e-17}
)

// log2Double returns log2 of the finite x > 0 with a relative error of about 2^-64.
func log2Double(x float64) double {
	m, exp := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		exp--
	}
	// log m = 2·atanh s with s = (m-1)/(m+1), |s| < 0.172, as the series s·(1 + t/3 + t²/5 + ...) in t = s². Only the
	// first two terms matter beyond float64's precision.
	den := fastTwoSum(m, 1)
	if m < 1 {
		den = fastTwoSum(1, m)
	}
	q := (m - 1) / den.hi
	s := fastTwoSum(q, (math.FMA(-q, den.hi, m-1)-q*den.lo)/den.hi)
	t := s.mul(s)
	tail := 0.0
	for k := 29; k >= 5; k -= 2 {
		tail = tail*t.hi + 1/float64(k)
	}
	inner := fastTwoSum(oneThird.hi, oneThird.lo+t.hi*tail)
	inner = t.mul(inner)
	series := fastTwoSum(1, inner.hi)
	series.lo += inner.lo
	l := s.mul(series).mul(twoOverLn2)
	sum := fastTwoSum(float64(exp), l.hi)
	if exp == 0 {
		return l
	}
	return fastTwoSum(sum.hi, sum.lo+l.lo)
}
