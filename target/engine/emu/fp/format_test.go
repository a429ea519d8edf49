package fp

import (
	"math"
	"math/big"
	"math/rand"
	"testing"
)

var smallFormats = map[string]*Format{
	"f16": F16, "bf16": BF16, "e5m2": E5M2, "e4m3": E4M3, "e2m3": E2M3, "e3m2": E3M2, "e2m1": E2M1,
}

// TestRoundSmallFormats checks rounding against its definition: for every
// pair of neighbouring finite numbers, the numbers themselves, points just
// above and below them and their midpoint round to the right one of them.
func TestRoundSmallFormats(t *testing.T) {
	t.Parallel()
	for name, f := range smallFormats {
		for v := uint64(0); v < f.Largest(); v++ {
			lo, hi := f.Decode(v), f.Decode(v+1)
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
				neg := func(u uint64) uint64 { return u | f.Sign() }
				for _, d := range []struct {
					x    float64
					r    Rounding
					want uint64
				}{
					{c.x, Nearest, c.near}, {c.x, Away, c.away}, {c.x, TowardZero, c.zero}, {c.x, Up, c.above}, {c.x, Down, c.zero},
					{-c.x, Nearest, neg(c.near)}, {-c.x, Away, neg(c.away)}, {-c.x, TowardZero, neg(c.zero)}, {-c.x, Up, neg(c.zero)}, {-c.x, Down, neg(c.above)},
				} {
					if got := f.Round(d.x, d.r); got != d.want {
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
		f    *Format
		x    float64
		r    Rounding
		want uint64
	}{
		{F16, 65504, Nearest, 0x7bff},
		{F16, 65519.99, Nearest, 0x7bff},
		{F16, 65520, Nearest, 0x7c00},
		{F16, 65520, TowardZero, 0x7bff},
		{F16, -65520, Up, 0xfbff},
		{F16, -65505, Down, 0xfc00},
		{F16, math.Inf(-1), TowardZero, 0xfc00},
		{F16, math.NaN(), Nearest, 0x7fff},
		{F16, 1e300, Nearest, 0x7c00},
		{E4M3, 448, Nearest, 0x7e},
		{E4M3, 464, Nearest, 0x7e},
		{E4M3, 480, Nearest, 0x7f},
		{E5M2, 57344, Nearest, 0x7b},
		{E5M2, 61440, Nearest, 0x7c},
		{E2M1, 100, Nearest, 0x7},
		{E2M1, -100, Nearest, 0xf},
		{E2M3, 7.5, Nearest, 0x1f},
		{E3M2, 28, Nearest, 0x1f},
		{F16, 1e-300, Up, 1},
		{F16, 1e-300, Nearest, 0},
		{F16, math.Ldexp(1, -25), Nearest, 0},
		{F16, math.Ldexp(1, -25), Away, 1},
		{F32, math.Ldexp(1, -150), Nearest, 0},
		{F32, math.Ldexp(1.5, -150), Nearest, 1},
	} {
		if got := c.f.Round(c.x, c.r); got != c.want {
			t.Errorf("round(%v, %d) to e%dm%d = %#x, want %#x", c.x, c.r, c.f.ExponentBits, c.f.MantissaBits, got, c.want)
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
		if got, want := FmaF32(a, b, c, Nearest), to32(new(big.Float).SetPrec(exactPrec).Add(p, z)); got != want {
			t.Fatalf("fma(%x, %x, %x) = %x, want %x", a, b, c, got, want)
		}
		if b != 0 {
			want, _ := new(big.Float).SetPrec(200).SetMode(big.ToZero).Quo(x, y).Float32()
			if got := DivF32(a, b, Nearest); got != want {
				t.Fatalf("div(%x, %x) = %x, want %x", a, b, got, want)
			}
		}
		for _, r := range []Rounding{TowardZero, Down, Up} {
			checkDirected(t, "fma", FmaF32(a, b, c, r), new(big.Float).SetPrec(exactPrec).Add(p, z), r)
			checkDirected(t, "mul", MulF32(a, b, r), p, r)
			checkDirected(t, "add", AddF32(a, b, r), new(big.Float).SetPrec(exactPrec).Add(x, y), r)
		}
	}
}

// checkDirected tests that got is the neighbour of x that r asks for.
func checkDirected(t *testing.T, what string, got float32, x *big.Float, r Rounding) {
	t.Helper()
	if math.IsInf(float64(got), 0) {
		if lim := bigOf(math.MaxFloat32); x.Cmp(lim) <= 0 && x.Cmp(lim.Neg(lim)) >= 0 {
			t.Fatalf("%s: infinity for %v", what, x)
		}
		return
	}
	g := bigOf(float64(got))
	if r == TowardZero {
		r = Down
		if x.Sign() < 0 {
			r = Up
		}
	}
	next, inf := g.Cmp(x), float32(math.Inf(1))
	if r == Up {
		next, inf = -next, -inf
	}
	n := math.Nextafter32(got, inf)
	past := math.IsInf(float64(n), 0)
	if !past {
		d := bigOf(float64(n)).Cmp(x)
		if r == Up {
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
		{"1+tiny up", AddF64(1, tiny, Up), math.Nextafter(1, 2)},
		{"1+tiny down", AddF64(1, tiny, Down), 1},
		{"1-tiny zero", AddF64(1, -tiny, TowardZero), math.Nextafter(1, 0)},
		{"1/3 down", DivF64(1, 3, Down), third},
		{"1/3 up", DivF64(1, 3, Up), math.Nextafter(third, 1)},
		{"-1/3 up", DivF64(-1, 3, Up), -third},
		{"tiny*tiny up", MulF64(tiny, tiny, Up), tiny},
		{"tiny*tiny down", MulF64(tiny, -tiny, Down), -tiny},
		{"max*2 zero", MulF64(math.MaxFloat64, 2, TowardZero), math.MaxFloat64},
		{"fma up", FmaF64(1, 1, tiny, Up), math.Nextafter(1, 2)},
		{"sqrt2 down", SqrtF64(2, Down), math.Nextafter(math.Sqrt2, 1)},
		{"sqrt2 up", SqrtF64(2, Up), math.Sqrt2},
		{"sqrt4 up", SqrtF64(4, Up), 2},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %x, want %x", c.name, c.got, c.want)
		}
	}
	if z := AddF64(1, -1, Down); !math.Signbit(z) {
		t.Errorf("1-1 rounded down is %v, want -0", z)
	}
}

// TestDecodeF16 compares the fast decoder with the general one.
func TestDecodeF16(t *testing.T) {
	t.Parallel()
	for v := range uint64(1 << 16) {
		if got, want := DecodeF16(v), F16.Decode(v); math.Float64bits(got) != math.Float64bits(want) && got == got {
			t.Fatalf("decodeF16(%#x) = %v, want %v", v, got, want)
		}
	}
}
