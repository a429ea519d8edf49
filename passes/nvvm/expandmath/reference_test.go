package expandmath_test

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
	if x.MantExp(nil) > 10 { // as near to 1 as any format has
		return newBig(float64(x.Sign()))
	}
	return bigQuo(bigSinh(x), bigCosh(x))
}

// anglePrecision holds any f64 modulo π/2 to as many digits as other values have.
const anglePrecision = 1024 + 2*precision

// bigPi is 16·atan(1/5) - 4·atan(1/239) (Machin).
var bigPi = func() *big.Float {
	inverse := func(n int64) *big.Float {
		x := new(big.Float).SetPrec(anglePrecision).Quo(big.NewFloat(1), new(big.Float).SetPrec(anglePrecision).SetInt64(n))
		sum, power := new(big.Float).Copy(x), new(big.Float).Copy(x)
		square := new(big.Float).Mul(x, x)
		for k := int64(3); power.MantExp(nil) > -anglePrecision; k += 2 {
			power.Neg(power.Mul(power, square))
			sum.Add(sum, new(big.Float).Quo(power, new(big.Float).SetPrec(anglePrecision).SetInt64(k)))
		}
		return sum
	}
	a := new(big.Float).Mul(inverse(5), big.NewFloat(16))
	return a.Sub(a, new(big.Float).Mul(inverse(239), big.NewFloat(4)))
}()

// bigSinCos reduces the angle modulo π/2 and sums the series of the rest.
func bigSinCos(x *big.Float) (sine, cosine *big.Float) {
	half := new(big.Float).Quo(bigPi, big.NewFloat(2))
	n, _ := new(big.Float).SetPrec(anglePrecision).Quo(x, half).Int(nil)
	rest := new(big.Float).SetPrec(anglePrecision).Mul(half, new(big.Float).SetPrec(anglePrecision).SetInt(n))
	rest.Sub(new(big.Float).SetPrec(anglePrecision).Set(x), rest)
	r := new(big.Float).SetPrec(precision).Set(rest)
	minus := bigMul(r, r)
	minus.Neg(minus)
	s := series(r, func(k int) *big.Float { return bigQuo(minus, newBig(float64(2*k*(2*k+1)))) })
	c := series(newBig(1), func(k int) *big.Float { return bigQuo(minus, newBig(float64(2*k*(2*k-1)))) })
	switch new(big.Int).Mod(n, big.NewInt(4)).Int64() {
	case 1:
		return c, s.Neg(s)
	case 2:
		return s.Neg(s), c.Neg(c)
	case 3:
		return c.Neg(c), s
	}
	return s, c
}

func bigSin(x *big.Float) *big.Float { s, _ := bigSinCos(x); return s }
func bigCos(x *big.Float) *big.Float { _, c := bigSinCos(x); return c }
func bigTan(x *big.Float) *big.Float { return bigQuo(bigSinCos(x)) }

// bigAtan2 improves the angle that float64 knows by Newton's method on its sine and cosine.
func bigAtan2(y, x *big.Float) *big.Float {
	fy, ey := mantissa(y)
	fx, ex := mantissa(x)
	var guess float64
	switch d := ey - ex; {
	case d > 200:
		guess = math.Copysign(math.Pi/2, fy)
	case d < -200 && fx < 0:
		guess = math.Copysign(math.Pi, fy)
	case d < -200:
		// The quotient, up to its cube.
		return bigQuo(y, x)
	default:
		guess = math.Atan2(math.Ldexp(fy, d), fx)
	}
	angle := newBig(guess)
	for range 4 {
		// d = (y·cos - x·sin) / (x·cos + y·sin) is the tangent of what is missing, and nearly that.
		s, c := bigSinCos(angle)
		d := bigQuo(bigSub(bigMul(y, c), bigMul(x, s)), bigAdd(bigMul(x, c), bigMul(y, s)))
		angle = bigAdd(angle, d)
	}
	return angle
}

func mantissa(x *big.Float) (float64, int) {
	m := new(big.Float)
	e := x.MantExp(m)
	f, _ := m.Float64()
	return f, e
}
