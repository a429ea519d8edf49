package fp

import (
	"math"
)

// odd nudges s, the nearest double to an exact result s+err, to the
// neighbour with an odd last bit when err is not zero: "round to odd"
// (Boldo and Melquiond). Rounding that once more to a format of at most 50
// bits gives the same as rounding the exact result directly.
func odd(s, err float64) float64 {
	b := math.Float64bits(s)
	if err == 0 || b&1 != 0 || b>>52&0x7ff == 0x7ff || err != err {
		return s
	}
	// A sum that is zero is exact: the error of an addition cannot underflow.
	if s == 0 {
		return s
	}
	if (err > 0) == (s > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// addOdd is a+b rounded to odd.
//
// The error of the sum is Knuth's two-sum: exact in binary64 barring overflow, with no assumption on which of the two
// is the larger.
func addOdd(a, b float64) float64 {
	s := a + b
	bb := s - a
	return odd(s, (a-(s-bb))+(b-bb))
}

// fmaOdd is a*b+c rounded to odd, for a and b of at most 26 bits, whose product is exact.
//
// A fused multiply-add of binary64 would give the nearest double, and a second rounding after it can fall on the wrong
// side of a tie. The exact product and an odd sum cannot.
func fmaOdd(a, b, c float64) float64 { return addOdd(a*b, c) }

// divOdd is a/b rounded to odd, for operands of at most 26 bits in a range
// that keeps the residual exact.
//
// The residual of a correctly rounded quotient is exact, and its sign says on which side of the double the quotient
// lies.
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
