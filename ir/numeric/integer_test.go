package numeric

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// value reads a pattern as a mathematical integer.
func (w Int) value(a uint64, signed bool) *big.Int {
	v := new(big.Int).SetUint64(a)
	if signed && a >= w.MinSigned() {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return v
}

// pattern reduces a mathematical integer modulo 2^w.
func (w Int) pattern(v *big.Int) uint64 {
	return new(big.Int).And(v, new(big.Int).SetUint64(w.Mask())).Uint64()
}

func (w Int) fits(v *big.Int, signed bool) bool { return w.value(w.pattern(v), signed).Cmp(v) == 0 }

func checkInt(t *testing.T, w Int, a, b uint64) {
	t.Helper()
	check := func(op string, got, want uint64) {
		if got != want {
			t.Fatalf("%v %s %#x %#x: got %#x, want %#x", w, op, a, b, got, want)
		}
	}
	big0 := new(big.Int)
	u, v := w.value(a, false), w.value(b, false)
	x, y := w.value(a, true), w.value(b, true)
	sum, diff, product := new(big.Int).Add(u, v), new(big.Int).Sub(u, v), new(big.Int).Mul(u, v)
	check("add", w.Add(a, b), w.pattern(sum))
	check("sub", w.Sub(a, b), w.pattern(diff))
	check("mul", w.Mul(a, b), w.pattern(product))
	check("neg", w.Neg(a), w.pattern(new(big.Int).Neg(u)))
	check("abs", w.Abs(a), w.pattern(new(big.Int).Abs(x)))
	check("and", w.And(a, b), w.pattern(new(big.Int).And(u, v)))
	check("or", w.Or(a, b), w.pattern(new(big.Int).Or(u, v)))
	check("xor", w.Xor(a, b), w.pattern(new(big.Int).Xor(u, v)))
	for _, signed := range []bool{false, true} {
		p, q := w.value(a, signed), w.value(b, signed)
		check("mulhi", w.MulHigh(a, b, signed), w.pattern(new(big.Int).Rsh(new(big.Int).Mul(p, q), uint(w))))
		order := p.Cmp(q)
		small, large := a, b
		if order > 0 {
			small, large = b, a
		}
		check("min", w.Min(a, b, signed), small)
		check("max", w.Max(a, b, signed), large)
		for pred, want := range map[Predicate]bool{
			Equal: order == 0, NotEqual: order != 0, LessThan: order < 0,
			LessOrEqual: order <= 0, GreaterThan: order > 0, GreaterOrEqual: order >= 0,
		} {
			if got := w.Compare(pred, signed, a, b); got != want {
				t.Fatalf("%v compare %d signed=%v %#x %#x: got %v", w, pred, signed, a, b, got)
			}
		}
		shift := uint(min(b, 200))
		check("shr", w.Shr(a, b, signed), w.pattern(new(big.Int).Rsh(p, shift)))
		for _, to := range []Int{I1, I4, I8, I16, I32, I64} {
			check("extend", to.Extend(w, a, signed), to.pattern(p))
		}
		for _, r := range []Rounding{Zero, NegInf, PosInf} {
			got, ok := w.Div(a, b, signed, r)
			if b == 0 {
				if got != w.Mask() || ok {
					t.Fatalf("%v div by 0: got %#x, %v", w, got, ok)
				}
				continue
			}
			want, rest := new(big.Int).QuoRem(p, q, new(big.Int))
			negative := p.Sign()*q.Sign() < 0
			if rest.Sign() != 0 && r == NegInf && negative {
				want.Sub(want, big.NewInt(1))
			}
			if rest.Sign() != 0 && r == PosInf && !negative {
				want.Add(want, big.NewInt(1))
			}
			check("div "+r.String(), got, w.pattern(want))
			if ok != w.fits(want, signed) {
				t.Fatalf("%v div %#x %#x: defined=%v", w, a, b, ok)
			}
		}
		got, ok := w.Rem(a, b, signed)
		if b == 0 {
			if got != a || ok {
				t.Fatalf("%v rem by 0: got %#x, %v", w, got, ok)
			}
			continue
		}
		check("rem", got, w.pattern(new(big.Int).Rem(p, q)))
	}
	check("shl", w.Shl(a, b), w.pattern(new(big.Int).Lsh(u, uint(min(b, 200)))))
	wraps := func(op string, got Wraps, unsigned, signed *big.Int) {
		want := Wraps{Signed: !w.fits(signed, true), Unsigned: !w.fits(unsigned, false)}
		if got != want {
			t.Fatalf("%v %s %#x %#x: wraps %+v, want %+v", w, op, a, b, got, want)
		}
	}
	wraps("add", w.AddWraps(a, b), sum, big0.Add(x, y))
	wraps("sub", w.SubWraps(a, b), diff, big0.Sub(x, y))
	wraps("mul", w.MulWraps(a, b), product, big0.Mul(x, y))
	if b < uint64(w) {
		wraps("shl", w.ShlWraps(a, b), new(big.Int).Lsh(u, uint(b)), new(big.Int).Lsh(x, uint(b)))
	}
}

func TestIntegersExhaustive(t *testing.T) {
	t.Parallel()
	for _, w := range []Int{I1, I4, I8} {
		for a := range w.Mask() + 1 {
			step := uint64(1)
			if w == I8 {
				step = 1 + a%3
			}
			for b := uint64(0); b <= w.Mask(); b += step {
				checkInt(t, w, a, b)
			}
		}
	}
}

func TestIntegersRandom(t *testing.T) {
	t.Parallel()
	for _, w := range []Int{I16, I32, I64} {
		r := rand.New(rand.NewPCG(3, uint64(w)))
		edge := []uint64{0, 1, 2, 3, w.MaxSigned(), w.MinSigned(), w.MinSigned() + 1, w.Mask() - 1, w.Mask(), uint64(w) - 1, uint64(w)}
		for _, a := range edge {
			for _, b := range edge {
				checkInt(t, w, a, b)
			}
		}
		pick := func() uint64 { return w.Wrap(r.Uint64() >> r.IntN(64)) }
		for range 3000 {
			checkInt(t, w, pick(), pick())
		}
	}
	if got := I32.String(); got != "i32" {
		t.Errorf("name %s", got)
	}
}

func TestFromInt(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(4, 0))
	for _, f := range Formats() {
		for i := range 1500 {
			w := []Int{I1, I8, I16, I32, I64}[i%5]
			a, signed, env := w.Wrap(r.Uint64()>>r.IntN(64)), i%2 == 0, Env{Rounding: rounding[i%5]}
			want := f.Zero(false)
			if a != 0 {
				want = f.referenceOf(newExact().SetInt(w.value(a, signed)), env)
			}
			if got := f.FromInt(w, a, signed, env); got != want {
				t.Fatalf("%v from %v %#x signed=%v %v: got %#x, want %#x", f, w, a, signed, env.Rounding, got, want)
			}
		}
	}
	for a, want := range map[uint64]uint64{65519: 0x7bff, 65520: 0x7c00} {
		if got := F16.FromInt(I32, a, true, Env{}); got != want {
			t.Errorf("f16 from %d: got %#x, want %#x", a, got, want)
		}
	}
}

func TestToInt(t *testing.T) {
	t.Parallel()
	check := func(x float64, w Int, signed bool, r Rounding, want uint64, wantOK bool) {
		t.Helper()
		got, ok := F64.ToInt(F64.Encode(x, Env{}), w, signed, r)
		if got != want || ok != wantOK {
			t.Errorf("%v to %v signed=%v %v: got %#x, %v, want %#x, %v", x, w, signed, r, got, ok, want, wantOK)
		}
	}
	inf := F64.Decode(F64.Inf(false))
	check(2.5, I32, true, NearestEven, 2, true)
	check(3.5, I32, true, NearestEven, 4, true)
	check(2.5, I32, true, NearestAway, 3, true)
	check(-2.5, I32, true, NegInf, 0xfffffffd, true)
	check(-2.5, I32, true, PosInf, 0xfffffffe, true)
	check(-2.9, I8, true, Zero, 0xfe, true)
	check(-0.9, I8, false, Zero, 0, true)
	check(-1, I8, false, Zero, 0, false)
	check(255.9, I8, false, Zero, 255, true)
	check(256, I8, false, Zero, 255, false)
	check(127.5, I8, true, NearestEven, 127, false)
	check(-128.9, I8, true, Zero, 128, true)
	check(-129, I8, true, Zero, 128, false)
	check(0x1p63, I64, true, Zero, 1<<63-1, false)
	check(0x1p63, I64, false, Zero, 1<<63, true)
	check(-0x1p63, I64, true, Zero, 1<<63, true)
	check(0x1p64, I64, false, Zero, 1<<64-1, false)
	check(inf, I16, true, Zero, 0x7fff, false)
	check(-inf, I16, true, Zero, 0x8000, false)
	check(inf-inf, I16, true, Zero, 0, false)
	check(1, I1, false, Zero, 1, true)
	check(-1, I1, true, Zero, 1, true)
	check(1, I1, true, Zero, 0, false)
	// Every f16 against big.Float's truncation.
	for b := uint64(0); b < 1<<16; b++ {
		if !finite(F16, b) {
			continue
		}
		want, _ := exact(F16.Decode(b)).Int(nil)
		if got, ok := F16.ToInt(b, I32, true, Zero); got != I32.pattern(want) || !ok {
			t.Fatalf("f16 %#x to i32: got %#x, %v, want %v", b, got, ok, want)
		}
	}
}
