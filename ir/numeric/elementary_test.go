package numeric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Reference functions from their series, at a precision that survives the reduction of the largest arguments.

const refPrec = 1400

func num(x float64) *big.Float       { return new(big.Float).SetPrec(refPrec).SetFloat64(x) }
func add(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(refPrec).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(refPrec).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(refPrec).Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(refPrec).Quo(a, b) }

// series sums first·Π ratio(k) until the terms are far below 2^-200 of the sum.
func series(first *big.Float, ratio func(k int) *big.Float) *big.Float {
	sum, term := num(0), first
	for k := 1; term.Sign() != 0 && (sum.Sign() == 0 || term.MantExp(nil) > sum.MantExp(nil)-220); k++ {
		sum = add(sum, term)
		term = short(mul(term, ratio(k)))
	}
	return sum
}

// short drops digits that only matter before the argument reduction.
func short(x *big.Float) *big.Float {
	return new(big.Float).SetPrec(refPrec).Set(new(big.Float).SetPrec(260).Set(x))
}

// atanInv is atan(1/n) to full precision.
func atanInv(n float64) *big.Float {
	x := quo(num(1), num(n))
	square := mul(x, x)
	sum, power := num(0), x
	for k := 1.; power.MantExp(nil) > -refPrec; k += 4 {
		sum = add(sum, quo(power, num(k)))
		power = mul(power, square)
		sum = sub(sum, quo(power, num(k+2)))
		power = mul(power, square)
	}
	return sum
}

// atanhInv is atanh(1/n) to full precision.
func atanhInv(n float64) *big.Float {
	x := quo(num(1), num(n))
	square := mul(x, x)
	sum, power := num(0), x
	for k := 1.; power.MantExp(nil) > -refPrec; k += 2 {
		sum = add(sum, quo(power, num(k)))
		power = mul(power, square)
	}
	return sum
}

var (
	refHalfPi = mul(num(2), sub(mul(num(4), atanInv(5)), atanInv(239))) // Machin
	refLn2    = mul(num(2), atanhInv(3))
)

func nearest(x *big.Float) *big.Int {
	i, _ := add(x, num(math.Copysign(0.5, float64(x.Sign())))).Int(nil)
	return i
}

func refExp(x *big.Float) *big.Float {
	n := nearest(quo(x, refLn2))
	r := short(sub(x, mul(refLn2, new(big.Float).SetPrec(refPrec).SetInt(n))))
	e := series(num(1), func(k int) *big.Float { return quo(r, num(float64(k))) })
	return new(big.Float).SetMantExp(e, int(n.Int64()))
}

func refLog(x *big.Float) *big.Float {
	m := new(big.Float)
	exp := x.MantExp(m)
	if m.Cmp(num(math.Sqrt2/2)) < 0 {
		m.SetMantExp(m, 1)
		exp--
	}
	s := quo(sub(m, num(1)), add(m, num(1)))
	square := short(mul(s, s))
	k2 := func(k int) *big.Float { return quo(num(float64(2*k-1)), num(float64(2*k+1))) }
	l := series(s, func(k int) *big.Float { return mul(square, k2(k)) })
	return add(mul(num(2), l), mul(refLn2, num(float64(exp))))
}

func refSinCos(x *big.Float) (sin, cos *big.Float) {
	n := nearest(quo(x, refHalfPi))
	r := short(sub(x, mul(refHalfPi, new(big.Float).SetPrec(refPrec).SetInt(n))))
	square := mul(r, r)
	step := func(a, b int) *big.Float { return quo(square, num(-float64(a*b))) }
	s := series(r, func(k int) *big.Float { return step(2*k, 2*k+1) })
	c := series(num(1), func(k int) *big.Float { return step(2*k-1, 2*k) })
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 1:
		s, c = c, s.Neg(s)
	case 2:
		s, c = s.Neg(s), c.Neg(c)
	case 3:
		s, c = c.Neg(c), s
	}
	return s, c
}

// refAtan is for positive x; it halves the angle until the series converges quickly.
func refAtan(x *big.Float) *big.Float {
	halvings := 0
	for x.Cmp(num(0.1)) > 0 {
		root := new(big.Float).SetPrec(refPrec).Sqrt(short(add(num(1), mul(x, x))))
		x = short(quo(x, add(num(1), root)))
		halvings++
	}
	square := short(mul(x, x))
	a := series(x, func(k int) *big.Float { return mul(square, quo(num(-float64(2*k-1)), num(float64(2*k+1)))) })
	return new(big.Float).SetMantExp(a, halvings)
}

// nearZero bounds math.Sin and its kin in f64: their argument reduction beyond 2^29 keeps 64 bits of the fraction, so
// close to a zero some digits are lost.
const nearZero = 50

type elementary struct {
	name string
	got  func(f Format, x, y uint64) uint64
	want func(x, y *big.Float) *big.Float
	// lo and hi bound the first argument's magnitude by powers of two; positive restricts its sign.
	lo, hi   int
	positive bool
	f64      float64 // error bound in ulp for f64
}

var elementaries = []elementary{
	{"exp", one(Format.Exp), func(x, _ *big.Float) *big.Float { return refExp(x) }, -30, 6, false, 1},
	{"exp2", one(Format.Exp2), func(x, _ *big.Float) *big.Float { return refExp(mul(x, refLn2)) }, -30, 6, false, 1},
	{"log", one(Format.Log), func(x, _ *big.Float) *big.Float { return refLog(x) }, -120, 120, true, 1},
	{"log2", one(Format.Log2), func(x, _ *big.Float) *big.Float { return quo(refLog(x), refLn2) }, -120, 120, true, 0.51},
	{"sin", one(Format.Sin), func(x, _ *big.Float) *big.Float { s, _ := refSinCos(x); return s }, -20, 100, false, nearZero},
	{"cos", one(Format.Cos), func(x, _ *big.Float) *big.Float { _, c := refSinCos(x); return c }, -20, 100, false, nearZero},
	{"tan", one(Format.Tan), func(x, _ *big.Float) *big.Float { s, c := refSinCos(x); return quo(s, c) }, -20, 100, false, nearZero},
	{"sinh", one(Format.Sinh), func(x, _ *big.Float) *big.Float {
		return mul(num(0.5), sub(refExp(x), refExp(sub(num(0), x))))
	}, -20, 6, false, 3},
	{"cosh", one(Format.Cosh), func(x, _ *big.Float) *big.Float {
		return mul(num(0.5), add(refExp(x), refExp(sub(num(0), x))))
	}, -20, 6, false, 2},
	{"tanh", one(Format.Tanh), func(x, _ *big.Float) *big.Float {
		e := refExp(mul(num(2), x))
		return quo(sub(e, num(1)), add(e, num(1)))
	}, -20, 5, false, 3},
	{"rsqrt", one(Format.Rsqrt), func(x, _ *big.Float) *big.Float {
		return quo(num(1), new(big.Float).SetPrec(refPrec).Sqrt(x))
	}, -120, 120, true, 1},
	{"atan2", func(f Format, x, y uint64) uint64 { return f.Atan2(x, f.Abs(y), Env{}) }, func(x, y *big.Float) *big.Float {
		a := refAtan(quo(new(big.Float).SetPrec(refPrec).Abs(x), new(big.Float).SetPrec(refPrec).Abs(y)))
		if x.Signbit() {
			a.Neg(a)
		}
		return a
	}, -20, 20, false, 2},
	{"pow", func(f Format, x, y uint64) uint64 { return f.Pow(x, y, Env{}) }, func(x, y *big.Float) *big.Float {
		return refExp(mul(y, refLog(x)))
	}, -14, 14, true, 1.5},
}

func one(fn func(Format, uint64, Env) uint64) func(Format, uint64, uint64) uint64 {
	return func(f Format, x, _ uint64) uint64 { return fn(f, x, Env{}) }
}

// The error of every function against its series, in ulps of the format: below 1 for f32 and narrower.
func TestElementaryAccuracy(t *testing.T) {
	t.Parallel()
	for _, e := range elementaries {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			for _, f := range []Format{F16, BF16, F32, F64} {
				r := rand.New(rand.NewPCG(5, uint64(f)))
				bound, worst := 0.75, 0.0
				if f == F64 {
					bound = e.f64
				}
				for range 60 {
					x := math.Ldexp(1+r.Float64(), e.lo+r.IntN(e.hi-e.lo))
					if !e.positive && r.IntN(2) == 0 {
						x = -x
					}
					if e.positive && r.IntN(4) == 0 {
						x = 1 + math.Ldexp(r.Float64()-0.5, -r.IntN(30))
					}
					a, b := f.Encode(x, Env{Saturate: true}), f.Encode(3*r.NormFloat64(), Env{})
					x, y := f.Decode(a), f.Decode(b)
					if x == 0 || y == 0 {
						continue
					}
					want := e.want(num(x), num(y))
					got := e.got(f, a, b)
					if rounded := f.referenceOf(want, Env{}); f.IsInf(rounded) || f.IsInf(got) {
						if rounded != got {
							t.Errorf("%v %s(%v, %v): got %v, want %v", f, e.name, x, y, f.Decode(got), f.Decode(rounded))
						}
						continue
					}
					diff, _ := sub(num(f.Decode(got)), want).Float64()
					if err := math.Abs(diff) / ulp(f, want); err > worst {
						worst = err
						if err > bound {
							t.Errorf("%v %s(%v, %v): got %v, off by %.3g ulp", f, e.name, x, y, f.Decode(got), err)
						}
					}
				}
				t.Logf("%v: %.3f ulp", f, worst)
			}
		})
	}
}

// ulp is the distance of neighbours around x.
func ulp(f Format, x *big.Float) float64 {
	s := f.Spec()
	return math.Ldexp(1, max(x.MantExp(nil)-1, 1-s.Bias)-s.Man)
}

func TestElementarySpecial(t *testing.T) {
	t.Parallel()
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tests := []struct {
		name      string
		fn        func(Format, uint64, Env) uint64
		x, result float64
	}{
		{"exp", Format.Exp, inf, inf}, {"exp", Format.Exp, -inf, 0}, {"exp", Format.Exp, nan, nan}, {"exp", Format.Exp, 1e4, inf},
		{"exp2", Format.Exp2, -3, 0.125}, {"exp2", Format.Exp2, 10, 1024}, {"exp2", Format.Exp2, -1e4, 0},
		{"log", Format.Log, 0, -inf}, {"log", Format.Log, -1, nan}, {"log", Format.Log, inf, inf}, {"log", Format.Log, 1, 0},
		{"log2", Format.Log2, negZero, -inf}, {"log2", Format.Log2, -1, nan}, {"log2", Format.Log2, inf, inf},
		{"log2", Format.Log2, 1, 0}, {"log2", Format.Log2, 0.125, -3}, {"log2", Format.Log2, 4096, 12}, {"log2", Format.Log2, nan, nan},
		{"sin", Format.Sin, inf, nan}, {"sin", Format.Sin, negZero, negZero}, {"cos", Format.Cos, 0, 1}, {"tan", Format.Tan, -inf, nan},
		{"sinh", Format.Sinh, -inf, -inf}, {"sinh", Format.Sinh, negZero, negZero}, {"cosh", Format.Cosh, -inf, inf},
		{"tanh", Format.Tanh, inf, 1}, {"tanh", Format.Tanh, negZero, negZero}, {"tanh", Format.Tanh, -50, -1},
		{"rsqrt", Format.Rsqrt, 0, inf}, {"rsqrt", Format.Rsqrt, negZero, -inf}, {"rsqrt", Format.Rsqrt, -1, nan},
		{"rsqrt", Format.Rsqrt, inf, 0}, {"rsqrt", Format.Rsqrt, 0.25, 2},
		{"floor", Format.Floor, -1.5, -2}, {"floor", Format.Floor, negZero, negZero}, {"floor", Format.Floor, inf, inf},
		{"ceil", Format.Ceil, -0.5, negZero}, {"ceil", Format.Ceil, 1.25, 2}, {"ceil", Format.Ceil, nan, nan},
	}
	for _, f := range []Format{F16, BF16, F32, F64} {
		for _, tt := range tests {
			if got, want := tt.fn(f, f.Encode(tt.x, Env{}), Env{}), f.Encode(tt.result, Env{}); got != want {
				t.Errorf("%v %s(%v): got %v, want %v", f, tt.name, tt.x, f.Decode(got), tt.result)
			}
		}
	}
	if got := F32.Exp2(F32.Encode(-140, Env{}), Env{FlushToZero: true}); got != 0 {
		t.Errorf("flushed exp2(-140) is %#x", got)
	}
	if got := F32.Rsqrt(1, Env{FlushToZero: true}); got != F32.Inf(false) {
		t.Errorf("rsqrt of a flushed operand is %#x", got)
	}
	if got, want := math.Float64frombits(F64.Cosh(F64.Encode(710.2, Env{}), Env{})), 1.364e308; math.Abs(got/want-1) > 0.01 {
		t.Errorf("cosh(710.2) = %v", got)
	}
	if got := math.Float64frombits(F64.Sinh(F64.Encode(-710.2, Env{}), Env{})); !(got < -1e308) || math.IsInf(got, 0) {
		t.Errorf("sinh(-710.2) = %v", got)
	}
}

func TestPow(t *testing.T) {
	t.Parallel()
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tests := []struct{ x, y, want float64 }{
		{2, 10, 1024}, {-2, 3, -8}, {-2, 2, 4}, {-2, 0.5, nan}, {-1, 1e6, 1}, {-1, 3, -1}, {4, -0.5, 0.5}, {9, 0.5, 3},
		{0, 0, 1}, {nan, 0, 1}, {1, nan, 1}, {nan, 1, nan}, {negZero, -1, -inf}, {negZero, -2, inf}, {0, 5, 0}, {negZero, 3, negZero},
		{inf, -1, 0}, {-inf, 3, -inf}, {-1, inf, 1}, {0.5, inf, 0}, {0.5, -inf, inf}, {1e4, 1e4, inf}, {-1e4, 10001, -inf}, {1e4, -1e4, 0},
		{-1e4, -10001, negZero}, {0x1p-1074, 1, 0x1p-1074}, {0x1p-537, 2, 0x1p-1074}, {3, 40, 12157665459056928801},
	}
	for _, tt := range tests {
		got := F64.Pow(F64.Encode(tt.x, Env{}), F64.Encode(tt.y, Env{}), Env{})
		if want := F64.Encode(tt.want, Env{}); got != want {
			t.Errorf("pow(%v, %v) = %v, want %v", tt.x, tt.y, F64.Decode(got), tt.want)
		}
	}
	base := 1.0000001
	got := F64.Decode(F64.Pow(F64.Encode(base, Env{}), F64.Encode(1e9, Env{}), Env{}))
	want, _ := refExp(mul(num(1e9), refLog(num(base)))).Float64()
	if math.Abs(got/want-1) > 4e-16 {
		t.Errorf("pow(%v, 1e9) = %v, want %v", base, got, want)
	}
	if got := F32.Decode(F32.PowInt(F32.Encode(-1.5, Env{}), 3, Env{})); got != -3.375 {
		t.Errorf("powi(-1.5, 3) = %v", got)
	}
	if got := F16.Decode(F16.PowInt(F16.Encode(2, Env{}), -3, Env{})); got != 0.125 {
		t.Errorf("powi(2, -3) = %v", got)
	}
}

// TestAccurate has arguments for which the functions of package math are wrong or far off.
func TestAccurate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		got, want uint64
	}{
		{"log of a subnormal", F64.Log(1, Env{}), 0xc0874385446d71c3},
		{"atan2 of an underflow", F64.Atan2(0x8000000000000001, 0xffefffffffffffff, Env{}), 0xc00921fb54442d18},
		{"sin of a large angle", F64.Sin(0x7fefffffffffffff, Env{}), 0x3f7452fc98b34e97},
		{"cos of a large angle", F64.Cos(0x43e0000000000000, Env{}), 0x3f882aa375b3c33f},
		{"tan of a large angle", F64.Tan(0x7fefffffffffffff, Env{}), 0xbf74530cfe729484},
		{"rsqrt", F64.Rsqrt(0x3ff8000000000000, Env{}), 0x3fea20bd700c2c3e},
		{"sinh of a small number", F64.Sinh(0x0ade8c37577c5b91, Env{}), 0x0ade8c37577c5b91},
		{"exact power", F64.PowInt(0x4004000000000000, 5, Env{}), 0x40586a0000000000},
	}
	for _, tt := range tests {
		if d := int64(tt.got - tt.want); d < -1 || d > 1 {
			t.Errorf("%s: got %#x, want %#x", tt.name, tt.got, tt.want)
		}
	}
}
