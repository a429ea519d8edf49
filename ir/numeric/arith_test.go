package numeric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/internal/testing/tier"
)

// checkOps compares every operation on finite operands with the reference.
func checkOps(t *testing.T, f Format, a, b, c uint64, env Env) {
	t.Helper()
	x, y, z := f.operand(a, env), f.operand(b, env), f.operand(c, env)
	check := func(op string, got uint64, want uint64) {
		if got != want {
			t.Fatalf("%v %s %#x %#x %#x (%v %v %v) %+v: got %#x, want %#x", f, op, a, b, c, x, y, z, env, got, want)
		}
	}
	sum := func(p, q *big.Float) uint64 {
		r := newExact().Add(p, q)
		if r.Sign() != 0 {
			return f.referenceOf(r, env)
		}
		if p.Signbit() != q.Signbit() {
			return f.Zero(env.Rounding == NegInf)
		}
		return f.Zero(p.Signbit())
	}
	check("add", f.Add(a, b, env), sum(exact(x), exact(y)))
	check("sub", f.Sub(a, b, env), sum(exact(x), exact(-y)))
	p := newExact().Mul(exact(x), exact(y))
	negative := math.Signbit(x) != math.Signbit(y)
	if p.Sign() == 0 {
		check("mul", f.Mul(a, b, env), f.Zero(negative))
	} else {
		check("mul", f.Mul(a, b, env), f.referenceOf(p, env))
	}
	check("fma", f.FMA(a, b, c, env), sum(p, exact(z)))
	switch {
	case y == 0 && x == 0:
		check("div", f.Div(a, b, env), f.NaN())
	case y == 0:
		check("div", f.Div(a, b, env), specs[f].infinite2(negative, env))
	case x == 0:
		check("div", f.Div(a, b, env), f.Zero(negative))
	default:
		dividend, divisor := newExact().Abs(exact(x)), newExact().Abs(exact(y))
		check("div", f.Div(a, b, env), f.reference(negative, func(q *big.Float) int {
			return dividend.Cmp(newExact().Mul(q, divisor))
		}, env))
	}
	if x > 0 {
		radicand := exact(x)
		check("sqrt", f.Sqrt(a, env), f.reference(false, func(r *big.Float) int {
			return radicand.Cmp(newExact().Mul(r, r))
		}, env))
	}
}

func (s Spec) infinite2(negative bool, env Env) uint64 { return s.infinite(negative, env.Saturate) }

// All pairs of the 8-bit formats, in the short tier every fourth, in a rounding direction that changes from pair to pair.
func TestArithmeticPairs(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{F8E4M3FN, F8E5M2, F4E2M1FN, F8E5M3FNU, F8E8M0FNU} {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			n := uint64(1) << f.Bits()
			for a := range n {
				for b := range n {
					if c := (a*7 + b*31) % n; tier.Try(int(a+b*5+b/16), 4) && finite(f, a) && finite(f, b) && finite(f, c) {
						checkOps(t, f, a, b, c, Env{Rounding: rounding[(a+b*3)%5], FlushToZero: a*b%16 == 5})
					}
				}
			}
		})
	}
}

func finite(f Format, b uint64) bool { return !f.IsNaN(b) && !f.IsInf(b) }

func TestArithmeticRandom(t *testing.T) {
	t.Parallel()
	for f, n := range map[Format]int{F16: 20000, BF16: 20000, TF32: 4000, F32: 6000, F64: 4000} {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, uint64(f)))
			for i := range n {
				env := Env{Rounding: rounding[i%5], FlushToZero: i%7 == 0, Saturate: i%11 == 0}
				a, b, c := randomPattern(r, f), randomPattern(r, f), randomPattern(r, f)
				if i%3 == 0 { // cancellation in the fma
					c = f.Neg(f.Mul(a, b, Env{Saturate: true}))
				}
				checkOps(t, f, a, b, c, env)
			}
		})
	}
}

// Every 16-bit square root, all in one direction each.
func TestSqrtExhaustive(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{F16, BF16} {
		for b := uint64(1); b <= f.MaxFinite(false); b++ {
			env := Env{Rounding: rounding[b%5]}
			radicand := exact(f.Decode(b))
			want := f.reference(false, func(r *big.Float) int { return radicand.Cmp(newExact().Mul(r, r)) }, env)
			if got := f.Sqrt(b, env); got != want {
				t.Fatalf("%v sqrt %#x %v: got %#x, want %#x", f, b, env.Rounding, got, want)
			}
		}
	}
}

func TestArithmeticSpecial(t *testing.T) {
	t.Parallel()
	inf, nan, negZero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	type op func(f Format, x, y, z uint64, env Env) uint64
	add := func(f Format, x, y, _ uint64, env Env) uint64 { return f.Add(x, y, env) }
	sub := func(f Format, x, y, _ uint64, env Env) uint64 { return f.Sub(x, y, env) }
	mul := func(f Format, x, y, _ uint64, env Env) uint64 { return f.Mul(x, y, env) }
	div := func(f Format, x, y, _ uint64, env Env) uint64 { return f.Div(x, y, env) }
	rem := func(f Format, x, y, _ uint64, env Env) uint64 { return f.Rem(x, y, env) }
	sqrt := func(f Format, x, _, _ uint64, env Env) uint64 { return f.Sqrt(x, env) }
	fma := func(f Format, x, y, z uint64, env Env) uint64 { return f.FMA(x, y, z, env) }
	tests := []struct {
		name          string
		op            op
		x, y, z, want float64
	}{
		{"inf+inf", add, inf, inf, 0, inf},
		{"inf-inf", add, inf, -inf, 0, nan},
		{"inf+1", add, inf, 1, 0, inf},
		{"nan+1", add, nan, 1, 0, nan},
		{"sub inf", sub, 1, inf, 0, -inf},
		{"0*inf", mul, 0, inf, 0, nan},
		{"-2*inf", mul, -2, inf, 0, -inf},
		{"1/0", div, 1, negZero, 0, -inf},
		{"0/0", div, 0, 0, 0, nan},
		{"inf/inf", div, inf, inf, 0, nan},
		{"1/inf", div, 1, -inf, 0, negZero},
		{"inf/1", div, -inf, 1, 0, -inf},
		{"sqrt -0", sqrt, negZero, 0, 0, negZero},
		{"sqrt -1", sqrt, -1, 0, 0, nan},
		{"sqrt inf", sqrt, inf, 0, 0, inf},
		{"fma inf*0", fma, inf, 0, 1, nan},
		{"fma inf-inf", fma, inf, 1, -inf, nan},
		{"fma 1*1+inf", fma, 1, 1, inf, inf},
		{"fma nan", fma, 1, 1, nan, nan},
		{"fma -0*1+-0", fma, negZero, 1, negZero, negZero},
		{"rem", rem, -7, 3, 0, -1},
		{"rem keeps the sign", rem, -6, 3, 0, negZero},
		{"rem by 0", rem, 1, 0, 0, nan},
		{"rem of inf", rem, inf, 2, 0, nan},
		{"rem by inf", rem, 5, inf, 0, 5},
	}
	for _, f := range []Format{F16, BF16, F32, F64} {
		for _, tt := range tests {
			for _, r := range rounding {
				env := Env{Rounding: r}
				got := tt.op(f, f.Encode(tt.x, Env{}), f.Encode(tt.y, Env{}), f.Encode(tt.z, Env{}), env)
				if want := f.Encode(tt.want, Env{}); got != want {
					t.Errorf("%v %s %v: got %#x, want %#x", f, tt.name, r, got, want)
				}
			}
		}
		one := f.Encode(1, Env{})
		if got := f.Add(one, f.Neg(one), Env{Rounding: NegInf}); got != f.Zero(true) {
			t.Errorf("%v: 1-1 towards negative infinity is %#x", f, got)
		}
		payload := f.NaN() | 1<<f.Spec().Pad
		if got := f.Add(f.Neg(payload), one, Env{}); got != f.NaN() {
			t.Errorf("%v: NaN result %#x is not canonical", f, got)
		}
	}
}

// The remainder is exact, so big.Rat can say what it is.
func TestRemRandom(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{F16, F32, F8E4M3FN} {
		r := rand.New(rand.NewPCG(2, uint64(f)))
		for range 3000 {
			a, b := randomPattern(r, f), randomPattern(r, f)
			x, y := f.Decode(a), f.Decode(b)
			if x == 0 || y == 0 {
				continue
			}
			p, q := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y)
			quotient := new(big.Rat).Quo(p, q)
			whole := new(big.Rat).SetInt(new(big.Int).Quo(quotient.Num(), quotient.Denom()))
			want, isExact := p.Sub(p, whole.Mul(whole, q)).Float64()
			if !isExact {
				t.Fatalf("%v: remainder of %v by %v has no float64", f, x, y)
			}
			if got := f.Decode(f.Rem(a, b, Env{})); got != want || math.Signbit(got) != math.Signbit(x) {
				t.Fatalf("%v: %v rem %v: got %v, want %v", f, x, y, got, want)
			}
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	for _, bb := range []struct {
		f   Format
		env Env
	}{{F32, Env{}}, {F64, Env{}}, {F16, Env{}}, {BF16, Env{}}, {F32, Env{Rounding: Zero}}, {F64, Env{Rounding: Zero}}} {
		b.Run(bb.f.String()+"/"+bb.env.Rounding.String(), func(b *testing.B) {
			x, y := bb.f.Encode(1.3, Env{}), bb.f.Encode(0.0123, Env{})
			for b.Loop() {
				x = bb.f.Add(x, y, bb.env)
			}
		})
	}
}
