package nvvmexpandmath_test

import (
	"math"
	"math/big"
)

// precision of the reference functions, in bits: twice what f64 needs, and more for reduced arguments.
const precision = 200

func newBig(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func op2(f func(z, x, y *big.Float) *big.Float, x, y *big.Float) *big.Float {
	return f(new(big.Float).SetPrec(precision), x, y)
}

func bigAdd(x, y *big.Float) *big.Float { return op2((*big.Float).Add, x, y) }
func bigSub(x, y *big.Float) *big.Float { return op2((*big.Float).Sub, x, y) }
func bigMul(x, y *big.Float) *big.Float { return op2((*big.Float).Mul, x, y) }
func bigQuo(x, y *big.Float) *big.Float { return op2((*big.Float).Quo, x, y) }

func isTiny(term, sum *big.Float) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-precision
}

// series sums terms, each the last one times ratio(k).
func series(first *big.Float, ratio func(k int) *big.Float) *big.Float {
	sum, term := new(big.Float).Copy(first), first
	for k := 1; !isTiny(term, sum); k++ {
		term = bigMul(term, ratio(k))
		sum = bigAdd(sum, term)
	}
	return sum
}

// bigExp halves the argument until it is small, and squares the result as often.
func bigExp(x *big.Float) *big.Float {
	halvings := max(0, x.MantExp(nil)+8)
	r := new(big.Float).SetMantExp(x, -halvings)
	y := series(newBig(1), func(k int) *big.Float { return bigQuo(r, newBig(float64(k))) })
	for range halvings {
		y = bigMul(y, y)
	}
	return y
}

// bigAtanh2 is 2·atanh(s).
func bigAtanh2(s *big.Float) *big.Float {
	z := bigMul(s, s)
	sum, power := new(big.Float).Copy(s), s
	for k := 3; ; k += 2 {
		power = bigMul(power, z)
		term := bigQuo(power, newBig(float64(k)))
		if isTiny(term, sum) {
			return bigMul(sum, newBig(2))
		}
		sum = bigAdd(sum, term)
	}
}

var bigLn2 = bigAtanh2(bigQuo(newBig(1), newBig(3)))

// bigLog is 2·atanh((m-1)/(m+1)) + k·ln 2.
func bigLog(x *big.Float) *big.Float {
	m := new(big.Float)
	k := x.MantExp(m)
	if m.Cmp(newBig(math.Sqrt2/2)) < 0 {
		m.Mul(m, newBig(2))
		k--
	}
	l := newBig(0)
	if s := bigQuo(bigSub(m, newBig(1)), bigAdd(m, newBig(1))); s.Sign() != 0 {
		l = bigAtanh2(s)
	}
	return bigAdd(l, bigMul(newBig(float64(k)), bigLn2))
}

func bigSinh(x *big.Float) *big.Float {
	if x.MantExp(nil) < -2 {
		z := bigMul(x, x)
		return series(x, func(k int) *big.Float { return bigQuo(z, newBig(float64(2*k*(2*k+1)))) })
	}
	y := bigExp(x)
	return bigMul(bigSub(y, bigQuo(newBig(1), y)), newBig(0.5))
}

func bigCosh(x *big.Float) *big.Float {
	y := bigExp(x)
	return bigMul(bigAdd(y, bigQuo(newBig(1), y)), newBig(0.5))
}

func bigTanh(x *big.Float) *big.Float {
	if x.MantExp(nil) > 10 { // as near to 1 as any format tells
		return newBig(float64(x.Sign()))
	}
	return bigQuo(bigSinh(x), bigCosh(x))
}
