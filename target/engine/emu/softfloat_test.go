package emu

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
)

var smallFormats = map[string]*format{
	"f16": fmtF16, "bf16": fmtBF16, "e5m2": fmtE5M2, "e4m3": fmtE4M3, "e2m3": fmtE2M3, "e3m2": fmtE3M2, "e2m1": fmtE2M1,
}

// TestRoundSmallFormats checks rounding against its definition: for every
// pair of neighbouring finite numbers, the numbers themselves, points just
// above and below them and their midpoint round to the right one of them.
func TestRoundSmallFormats(t *testing.T) {
	t.Parallel()
	for name, f := range smallFormats {
		for v := uint64(0); v < f.largest(); v++ {
			lo, hi := f.decode(v), f.decode(v+1)
			if !(lo < hi) {
				t.Fatalf("%s: decode(%#x) = %v is not below decode(%#x) = %v", name, v, lo, v+1, hi)
			}
			mid := lo + (hi-lo)/2
			even, away := v, v+1
			if v&1 != 0 {
				even = v + 1
			}
			for _, c := range []struct {
				x                       float64
				near, away, zero, above uint64
			}{
				{lo, v, v, v, v},
				{math.Nextafter(lo, hi), v, v, v, v + 1},
				{math.Nextafter(mid, lo), v, v, v, v + 1},
				{mid, even, away, v, v + 1},
				{math.Nextafter(mid, hi), v + 1, v + 1, v, v + 1},
				{math.Nextafter(hi, lo), v + 1, v + 1, v, v + 1},
			} {
				neg := func(u uint64) uint64 { return u | f.sign() }
				for _, d := range []struct {
					x    float64
					r    rounding
					want uint64
				}{
					{c.x, rnNearest, c.near}, {c.x, rnAway, c.away}, {c.x, rnZero, c.zero}, {c.x, rnUp, c.above}, {c.x, rnDown, c.zero},
					{-c.x, rnNearest, neg(c.near)}, {-c.x, rnAway, neg(c.away)}, {-c.x, rnZero, neg(c.zero)}, {-c.x, rnUp, neg(c.zero)}, {-c.x, rnDown, neg(c.above)},
				} {
					if got := f.round(d.x, d.r); got != d.want {
						t.Fatalf("%s: round(%v, %d) = %#x, want %#x", name, d.x, d.r, got, d.want)
					}
				}
			}
		}
	}
}

func TestRoundOverflow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f    *format
		x    float64
		r    rounding
		want uint64
	}{
		{fmtF16, 65504, rnNearest, 0x7bff},
		{fmtF16, 65519.99, rnNearest, 0x7bff},
		{fmtF16, 65520, rnNearest, 0x7c00},
		{fmtF16, 65520, rnZero, 0x7bff},
		{fmtF16, -65520, rnUp, 0xfbff},
		{fmtF16, -65505, rnDown, 0xfc00},
		{fmtF16, math.Inf(-1), rnZero, 0xfc00},
		{fmtF16, math.NaN(), rnNearest, 0x7fff},
		{fmtF16, 1e300, rnNearest, 0x7c00},
		{fmtE4M3, 448, rnNearest, 0x7e},
		{fmtE4M3, 464, rnNearest, 0x7e},
		{fmtE4M3, 480, rnNearest, 0x7f},
		{fmtE5M2, 57344, rnNearest, 0x7b},
		{fmtE5M2, 61440, rnNearest, 0x7c},
		{fmtE2M1, 100, rnNearest, 0x7},
		{fmtE2M1, -100, rnNearest, 0xf},
		{fmtE2M3, 7.5, rnNearest, 0x1f},
		{fmtE3M2, 28, rnNearest, 0x1f},
		{fmtF16, 1e-300, rnUp, 1},
		{fmtF16, 1e-300, rnNearest, 0},
		{fmtF16, math.Ldexp(1, -25), rnNearest, 0},
		{fmtF16, math.Ldexp(1, -25), rnAway, 1},
		{fmtF32, math.Ldexp(1, -150), rnNearest, 0},
		{fmtF32, math.Ldexp(1.5, -150), rnNearest, 1},
	} {
		if got := c.f.round(c.x, c.r); got != c.want {
			t.Errorf("round(%v, %d) to e%dm%d = %#x, want %#x", c.x, c.r, c.f.ebits, c.f.mbits, got, c.want)
		}
	}
}

// TestF32AgainstBig compares the f32 operations with exact arithmetic that
// is rounded once.
func TestF32AgainstBig(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewSource(1))
	gen := func() float32 {
		for {
			b := rng.Uint32()
			switch rng.Intn(3) {
			case 0: // near one, few bits: many ties
				b = 0x3f800000 + b&0x80700003 + uint32(rng.Intn(60)-30)<<23
			case 1: // tiny
				b &= 0x86ffffff
			}
			f := math.Float32frombits(b)
			if !math.IsNaN(float64(f)) && !math.IsInf(float64(f), 0) {
				return f
			}
		}
	}
	to32 := func(x *big.Float) float32 { f, _ := x.Float32(); return f }
	for range 200000 {
		a, b, c := gen(), gen(), gen()
		x, y, z := bigOf(float64(a)), bigOf(float64(b)), bigOf(float64(c))
		p := new(big.Float).SetPrec(exactPrec).Mul(x, y)
		if got, want := fmaF32(a, b, c, rnNearest), to32(new(big.Float).SetPrec(exactPrec).Add(p, z)); got != want {
			t.Fatalf("fma(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
		if b != 0 {
			want, _ := new(big.Float).SetPrec(200).SetMode(big.ToZero).Quo(x, y).Float32()
			if got := divF32(a, b, rnNearest); got != want {
				t.Fatalf("div(%x, %x) = %x, want %x", a, b, got, want)
			}
		}
		for _, r := range []rounding{rnZero, rnDown, rnUp} {
			checkDirected(t, "fma", fmaF32(a, b, c, r), new(big.Float).SetPrec(exactPrec).Add(p, z), r)
			checkDirected(t, "mul", mulF32(a, b, r), p, r)
			checkDirected(t, "add", addF32(a, b, r), new(big.Float).SetPrec(exactPrec).Add(x, y), r)
		}
	}
}

// checkDirected tests that got is the neighbour of x that r asks for.
func checkDirected(t *testing.T, what string, got float32, x *big.Float, r rounding) {
	t.Helper()
	if math.IsInf(float64(got), 0) {
		if lim := bigOf(math.MaxFloat32); x.Cmp(lim) <= 0 && x.Cmp(lim.Neg(lim)) >= 0 {
			t.Fatalf("%s: infinity for %v", what, x)
		}
		return
	}
	g := bigOf(float64(got))
	if r == rnZero {
		r = rnDown
		if x.Sign() < 0 {
			r = rnUp
		}
	}
	next, inf := g.Cmp(x), float32(math.Inf(1))
	if r == rnUp {
		next, inf = -next, -inf
	}
	n := math.Nextafter32(got, inf)
	past := math.IsInf(float64(n), 0)
	if !past {
		d := bigOf(float64(n)).Cmp(x)
		if r == rnUp {
			d = -d
		}
		past = d > 0
	}
	if next > 0 || !past {
		t.Fatalf("%s rounded in direction %d: got %v for %v", what, r, got, x)
	}
}

func TestF64Directed(t *testing.T) {
	t.Parallel()
	tiny := math.SmallestNonzeroFloat64
	third := 1.0 / 3
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"1+tiny up", addF64(1, tiny, rnUp), math.Nextafter(1, 2)},
		{"1+tiny down", addF64(1, tiny, rnDown), 1},
		{"1-tiny zero", addF64(1, -tiny, rnZero), math.Nextafter(1, 0)},
		{"1/3 down", divF64(1, 3, rnDown), third},
		{"1/3 up", divF64(1, 3, rnUp), math.Nextafter(third, 1)},
		{"-1/3 up", divF64(-1, 3, rnUp), -third},
		{"tiny*tiny up", mulF64(tiny, tiny, rnUp), tiny},
		{"tiny*tiny down", mulF64(tiny, -tiny, rnDown), -tiny},
		{"max*2 zero", mulF64(math.MaxFloat64, 2, rnZero), math.MaxFloat64},
		{"fma up", fmaF64(1, 1, tiny, rnUp), math.Nextafter(1, 2)},
		{"sqrt2 down", sqrtF64(2, rnDown), math.Nextafter(math.Sqrt2, 1)},
		{"sqrt2 up", sqrtF64(2, rnUp), math.Sqrt2},
		{"sqrt4 up", sqrtF64(4, rnUp), 2},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %x, want %x", c.name, c.got, c.want)
		}
	}
	if z := addF64(1, -1, rnDown); !math.Signbit(z) {
		t.Errorf("1-1 rounded down is %v, want -0", z)
	}
}

// TestDecodeF16 compares the fast decoder with the general one.
func TestDecodeF16(t *testing.T) {
	t.Parallel()
	for v := range uint64(1 << 16) {
		if got, want := decodeF16(v), fmtF16.decode(v); math.Float64bits(got) != math.Float64bits(want) && got == got {
			t.Fatalf("decodeF16(%#x) = %v, want %v", v, got, want)
		}
	}
}
