package numeric

import "math"

// Add returns a + b. An exact zero sum of different signs is +0, and -0 towards negative infinity. Each function here
// does one operation of Go and hands a pattern on. Go may fuse x*y + z on some machines (Go specification,
// Floating-point operators); here no inexact product is left that a sum could be fused with.
func (f Format) Add(a, b uint64, env Env) uint64 {
	if env == (Env{}) {
		switch f {
		case F32:
			return f32Bits(math.Float32frombits(uint32(a)) + math.Float32frombits(uint32(b)))
		case F64:
			return f64Bits(math.Float64frombits(a) + math.Float64frombits(b))
		}
	}
	x, y := f.operand(a, env), f.operand(b, env)
	return f.finishSum(x, y, env)
}

// Sub returns a - b.
func (f Format) Sub(a, b uint64, env Env) uint64 {
	if env == (Env{}) {
		switch f {
		case F32:
			return f32Bits(math.Float32frombits(uint32(a)) - math.Float32frombits(uint32(b)))
		case F64:
			return f64Bits(math.Float64frombits(a) - math.Float64frombits(b))
		}
	}
	x, y := f.operand(a, env), f.operand(b, env)
	return f.finishSum(x, -y, env)
}

func (f Format) finishSum(x, y float64, env Env) uint64 {
	switch {
	case x+y == 0:
		return f.Encode(zeroSum(x, y, env), env)
	case f == F64 && finiteNonzero(x) && finiteNonzero(y):
		return specs[F64].roundWide(addWide(unpack(x).widen(), unpack(y).widen()), env)
	}
	return f.Encode(addOdd(x, y), env)
}

// Mul returns a · b.
func (f Format) Mul(a, b uint64, env Env) uint64 {
	if env == (Env{}) {
		switch f {
		case F32:
			return f32Bits(math.Float32frombits(uint32(a)) * math.Float32frombits(uint32(b)))
		case F64:
			return f64Bits(math.Float64frombits(a) * math.Float64frombits(b))
		}
	}
	x, y := f.operand(a, env), f.operand(b, env)
	if f == F64 && finiteNonzero(x) && finiteNonzero(y) {
		return specs[F64].roundWide(mulWide(unpack(x), unpack(y)), env)
	}
	return f.Encode(x*y, env) // at most 48 significant bits, far from float64's limits: exact
}

// Div returns a / b.
func (f Format) Div(a, b uint64, env Env) uint64 {
	if env == (Env{}) {
		switch f {
		case F32:
			return f32Bits(math.Float32frombits(uint32(a)) / math.Float32frombits(uint32(b)))
		case F64:
			return f64Bits(math.Float64frombits(a) / math.Float64frombits(b))
		}
	}
	x, y := f.operand(a, env), f.operand(b, env)
	q := x / y
	if finiteNonzero(x) && finiteNonzero(y) {
		if f == F64 {
			return specs[F64].roundWide(divWide(unpack(x), unpack(y)), env)
		}
		r := math.FMA(-q, y, x)
		// What the quotient lacks is r / y, of which only the sign counts.
		if y < 0 {
			r = -r
		}
		q = odd(q, r)
	}
	return f.Encode(q, env)
}

// FMA returns a·b + c with one rounding.
func (f Format) FMA(a, b, c uint64, env Env) uint64 {
	if f == F64 && env == (Env{}) {
		return f64Bits(math.FMA(math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c)))
	}
	x, y, z := f.operand(a, env), f.operand(b, env), f.operand(c, env)
	// The product of two numbers of at most 24 bits is exact, so that it makes no difference if Go fuses it with the
	// sum.
	if f != F64 {
		return f.finishSum(x*y, z, env)
	}
	switch {
	case !finiteNonzero(x) || !finiteNonzero(y):
		return f.finishSum(x*y, z, env) // the product is exact
	case z == 0:
		return specs[F64].roundWide(mulWide(unpack(x), unpack(y)), env)
	case !finiteNonzero(z):
		return f.Encode(z, env)
	}
	w := addWide(mulWide(unpack(x), unpack(y)), unpack(z).widen())
	if w.hi|w.lo == 0 {
		return f.Encode(zeroSum(z, -z, env), env)
	}
	return specs[F64].roundWide(w, env)
}

// Sqrt returns the square root of a; that of -0 is -0.
func (f Format) Sqrt(a uint64, env Env) uint64 {
	x := f.operand(a, env)
	root := math.Sqrt(x)
	if env == (Env{}) && (f == F32 || f == F64) {
		return f.Encode(root, env) // innocuous double rounding for f32: 53 >= 2·24+2
	}
	if x > 0 && finiteNonzero(x) {
		if f == F64 {
			return specs[F64].roundWide(sqrtWide(unpack(x)), env)
		}
		root = odd(root, math.FMA(-root, root, x))
	}
	return f.Encode(root, env)
}

// Rem returns the remainder of the division truncated towards zero, with the sign of a. It is exact.
func (f Format) Rem(a, b uint64, env Env) uint64 {
	return f.Encode(math.Mod(f.operand(a, env), f.operand(b, env)), env)
}

// operand decodes b, flushed if env says so.
func (f Format) operand(b uint64, env Env) float64 {
	if env.FlushToZero && f.IsSubnormal(b) {
		return f.Decode(f.Zero(f.Signbit(b)))
	}
	return f.Decode(b)
}

// f32Bits and f64Bits make NaNs canonical: the hardware propagates payloads.
func f32Bits(x float32) uint64 {
	if x != x {
		return specs[F32].NaN
	}
	return uint64(math.Float32bits(x))
}

func f64Bits(x float64) uint64 {
	if x != x {
		return specs[F64].NaN
	}
	return math.Float64bits(x)
}

func finiteNonzero(x float64) bool { return x != 0 && x-x == 0 }

// zeroSum returns the sum of x and y, which is zero, with its sign.
func zeroSum(x, y float64, env Env) float64 {
	if math.Signbit(x) != math.Signbit(y) && env.Rounding == NegInf {
		return math.Copysign(0, -1)
	}
	return x + y
}

// addOdd returns x + y rounded to odd. The error term is Knuth's two-sum, exact since nothing here overflows.
func addOdd(x, y float64) float64 {
	s := x + y
	if s-s != 0 {
		return s
	}
	yy := s - x
	return odd(s, (x-(s-yy))+(y-yy))
}

// odd rounds s + err to odd, where s is the float64 nearest to it. If s is not exact, the result is that of the two
// neighbours whose last bit is set.
func odd(s, err float64) float64 {
	b := math.Float64bits(s)
	if err == 0 || b&1 != 0 {
		return s
	}
	if (err > 0) == (s > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}
