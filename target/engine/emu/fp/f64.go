package fp

import (
	"math"
	"math/big"
)

// exactPrec holds the sum of any product of two doubles and a third one.
//
// A product of two doubles spans from 2^-2148 to 2^2048; with a third double beside it, its exponents lie within 4400
// bits.
const exactPrec = 4400

// directed rounds the exact value x to a double. Only the rounding modes
// that the hardware of this machine does not offer come here.
func directed(x *big.Float, r Rounding) float64 {
	f, acc := x.Float64() // to nearest even, also when subnormal
	if acc == big.Exact || r == Nearest {
		return f
	}
	below := acc == big.Below // f < x
	switch r {
	case TowardZero:
		if below == (x.Sign() < 0) { // f is further from zero
			return math.Nextafter(f, 0)
		}
	case Down:
		if !below {
			return math.Nextafter(f, math.Inf(-1))
		}
	case Up:
		if below {
			return math.Nextafter(f, math.Inf(1))
		}
	}
	return f
}

func finite(xs ...float64) bool {
	for _, x := range xs {
		if x-x != 0 {
			return false
		}
	}
	return true
}

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(exactPrec).SetFloat64(x) }

// zeroSum is the sign of an exact zero sum of terms that are not all zeros
// of the same sign.
func zeroSum(near float64, r Rounding) float64 {
	if r == Down {
		return math.Copysign(0, -1)
	}
	return near
}

// AddF64 and its like leave rounding to nearest to the processor, as well as whatever is not finite: infinities and
// NaNs have no direction.
func AddF64(a, b float64, r Rounding) float64 {
	s := a + b
	if r == Nearest || !finite(a, b) {
		return s
	}
	if s == 0 { // sums of doubles that round to zero are zero
		if a == 0 && math.Signbit(a) == math.Signbit(b) {
			return s
		}
		return zeroSum(s, r)
	}
	return directed(bigOf(a).Add(bigOf(a), bigOf(b)), r)
}

func MulF64(a, b float64, r Rounding) float64 {
	p := a * b
	if r == Nearest || !finite(a, b) || a == 0 || b == 0 {
		return p
	}
	return directed(bigOf(a).Mul(bigOf(a), bigOf(b)), r)
}

func FmaF64(a, b, c float64, r Rounding) float64 {
	s := math.FMA(a, b, c)
	if r == Nearest || !finite(a, b, c) {
		return s
	}
	x := bigOf(a)
	x.Mul(x, bigOf(b))
	x.Add(x, bigOf(c))
	if x.Sign() == 0 {
		if a == 0 || b == 0 {
			return AddF64(a*b, c, r)
		}
		return zeroSum(s, r)
	}
	return directed(x, r)
}

// The quotient is truncated at more bits than any tie of doubles needs, so that the directed rounding after it is not
// fooled.
func DivF64(a, b float64, r Rounding) float64 {
	q := a / b
	if r == Nearest || !finite(a, b) || a == 0 || b == 0 {
		return q
	}
	// The sign of a - q*b tells on which side of the exact quotient q is;
	// a quotient a little further that way rounds the same as the exact one.
	t := new(big.Float).SetPrec(exactPrec).SetMode(big.ToZero).Quo(bigOf(a), bigOf(b))
	return directed(t, r)
}

// SqrtF64 takes 256 bits of an irrational root: no root of a double lies so near to a double without being one.
func SqrtF64(a float64, r Rounding) float64 {
	s := math.Sqrt(a)
	if r == Nearest || !finite(a) || a <= 0 {
		return s
	}
	return directed(new(big.Float).SetPrec(256).Sqrt(bigOf(a)), r)
}
