package numeric

import (
	"math"
	"math/big"
	"testing"
)

func TestFormatLayout(t *testing.T) {
	t.Parallel()
	tests := []struct {
		f                            Format
		name                         string
		bits, precision              int
		maxFinite, minNormal, lowest float64 // lowest: the smallest positive value
		nan, inf                     uint64
	}{
		{F16, "f16", 16, 11, 65504, 0x1p-14, 0x1p-24, 0x7e00, 0x7c00},
		{BF16, "bf16", 16, 8, 0x1.fep127, 0x1p-126, 0x1p-133, 0x7fc0, 0x7f80},
		{TF32, "tf32", 32, 11, 0x1.ffcp127, 0x1p-126, 0x1p-136, 0x7fc00000, 0x7f800000},
		{F32, "f32", 32, 24, math.MaxFloat32, 0x1p-126, 0x1p-149, 0x7fc00000, 0x7f800000},
		{F64, "f64", 64, 53, math.MaxFloat64, 0x1p-1022, 0x1p-1074, 0x7ff8 << 48, 0x7ff0 << 48},
		{F8E4M3FN, "f8E4M3FN", 8, 4, 448, 0x1p-6, 0x1p-9, 0x7f, 0x7e},
		{F8E5M2, "f8E5M2", 8, 3, 57344, 0x1p-14, 0x1p-16, 0x7f, 0x7c},
		{F8E8M0FNU, "f8E8M0FNU", 8, 1, 0x1p127, 0x1p-127, 0x1p-127, 0xff, 0xfe},
		{F4E2M1FN, "f4E2M1FN", 4, 2, 6, 1, 0.5, 7, 7},
		{F8E5M3FNU, "fnv8E5M3FNU", 8, 4, 114688, 0x1p-14, 0x1p-17, 0xff, 0xfe},
	}
	if len(tests) != len(Formats()) {
		t.Fatalf("%d formats tested, %d exist", len(tests), len(Formats()))
	}
	for _, tt := range tests {
		f, ok := ParseFormat(tt.name)
		if !ok || f != tt.f || f.String() != tt.name {
			t.Errorf("%s: parsed as %v, %v", tt.name, f, ok)
		}
		if f.Bits() != tt.bits || f.Precision() != tt.precision {
			t.Errorf("%v: %d bits, precision %d", f, f.Bits(), f.Precision())
		}
		if got := f.Decode(f.MaxFinite(false)); got != tt.maxFinite {
			t.Errorf("%v: largest finite %v, want %v", f, got, tt.maxFinite)
		}
		s := f.Spec()
		smallest, normal := uint64(1), uint64(1)<<s.Man
		if !s.Subnormal {
			smallest, normal = 0, 0
		}
		if got := f.Decode(smallest << s.Pad); got != tt.lowest {
			t.Errorf("%v: smallest %v, want %v", f, got, tt.lowest)
		}
		if got := f.Decode(normal << s.Pad); got != tt.minNormal {
			t.Errorf("%v: smallest normal %v, want %v", f, got, tt.minNormal)
		}
		if f.NaN() != tt.nan || f.Inf(false) != tt.inf {
			t.Errorf("%v: nan %#x, inf %#x", f, f.NaN(), f.Inf(false))
		}
		if f.IsNaN(f.NaN()) != s.HasNaN || f.IsInf(f.Inf(false)) != s.HasInf {
			t.Errorf("%v: classification of nan or inf", f)
		}
	}
	if _, ok := ParseFormat("f80"); ok {
		t.Error("f80 is a format")
	}
	if Format(0).Valid() || Format(200).Valid() {
		t.Error("invalid formats are valid")
	}
}

// Every pattern of the small formats decodes to the value that its description gives and encodes back to itself.
func TestDecodeExhaustive(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{F16, BF16, TF32, F8E4M3FN, F8E5M2, F8E8M0FNU, F4E2M1FN, F8E5M3FNU} {
		s := f.Spec()
		for m := uint64(0); m < 1<<(s.Exp+s.Man); m++ {
			for _, negative := range []bool{false, true} {
				b := s.join(m, negative)
				x := f.Decode(b)
				switch {
				case f.IsNaN(b):
					if x == x {
						t.Fatalf("%v %#x: NaN decodes to %v", f, b, x)
					}
					b = f.NaN()
				case f.IsInf(b):
					if !math.IsInf(x, 0) || math.Signbit(x) != negative {
						t.Fatalf("%v %#x: infinity decodes to %v", f, b, x)
					}
					b = s.infinite(negative, false)
				default:
					want, acc := s.rung(m).Float64()
					if acc != big.Exact || math.Abs(x) != want || x != 0 && math.Signbit(x) != (negative && s.Signed) {
						t.Fatalf("%v %#x: decodes to %v, want %v", f, b, x, want)
					}
					if f.IsZero(b) != (x == 0) || f.IsSubnormal(b) != (x != 0 && math.Abs(x) < math.Ldexp(1, 1-s.Bias) && s.Subnormal) {
						t.Fatalf("%v %#x: classification", f, b)
					}
				}
				for _, r := range rounding {
					if got := f.Encode(x, Env{Rounding: r}); got != b {
						t.Fatalf("%v %#x: %v encodes to %#x (%v)", f, b, x, got, r)
					}
				}
			}
		}
	}
}

// Between each pair of neighbours: the halfway point, and points close to it and to either end.
func TestEncodeBetweenNeighbours(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{F16, BF16, TF32, F8E4M3FN, F8E5M2, F8E8M0FNU, F4E2M1FN, F8E5M3FNU} {
		s := f.Spec()
		for m := uint64(0); m <= s.MaxFinite; m++ {
			lo, _ := s.rung(m).Float64()
			hi, _ := s.rung(m + 1).Float64()
			mid := lo + (hi-lo)/2
			for _, x := range []float64{math.Nextafter(lo, hi), math.Nextafter(mid, lo), mid, math.Nextafter(mid, hi), math.Nextafter(hi, lo)} {
				for _, r := range rounding {
					for _, negative := range []bool{false, true} {
						up := false
						switch r {
						case NearestEven:
							up = x > mid || x == mid && (m%2 == 1 || s.Man == 0)
						case NearestAway:
							up = x >= mid
						case PosInf:
							up = !negative || !s.Signed
						case NegInf:
							up = negative && s.Signed
						}
						want := m
						if up {
							want++
						}
						if want > s.MaxFinite {
							want = s.Inf
							if s.Saturate {
								want = s.MaxFinite
							}
						}
						v := x
						if negative {
							v = -v
						}
						if got := f.Encode(v, Env{Rounding: r}); got != s.join(want, negative) {
							t.Fatalf("%v: %v %v: got %#x, want %#x", f, v, r, got, s.join(want, negative))
						}
					}
				}
			}
		}
	}
}

func TestEncodeSpecial(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	tests := []struct {
		f    Format
		x    float64
		env  Env
		want uint64
	}{
		{F16, 65519, Env{}, 0x7bff},
		{F16, 65520, Env{}, 0x7c00},
		{F16, 1e300, Env{Rounding: Zero}, 0x7bff},
		{F16, -1e300, Env{Rounding: PosInf}, 0xfbff},
		{F16, -1e300, Env{Rounding: NegInf}, 0xfc00},
		{F16, 1e300, Env{Saturate: true}, 0x7bff},
		{F16, inf, Env{Saturate: true}, 0x7bff},
		{F16, inf, Env{Rounding: Zero}, 0x7c00},
		{F16, 0x1p-25, Env{}, 0},
		{F16, 0x1.8p-25, Env{}, 1},
		{F16, -0x1p-1074, Env{}, 0x8000},
		{F16, -0x1p-1074, Env{Rounding: NegInf}, 0x8001},
		{F32, 0x1p-127, Env{FlushToZero: true}, 0},
		{F32, -0x1p-127, Env{FlushToZero: true}, 0x80000000},
		{F32, 0x1.ffffffffp-127, Env{FlushToZero: true}, 0x00800000},
		{F64, 0x1p-1030, Env{FlushToZero: true}, 0},
		{F64, 0x1p-1074, Env{Rounding: Zero}, 1},
		{F64, math.MaxFloat64, Env{Rounding: PosInf}, 0x7fefffffffffffff},
		{F8E4M3FN, 1e9, Env{}, 0x7e},
		{F8E4M3FN, -inf, Env{}, 0xfe},
		{F8E4M3FN, math.NaN(), Env{}, 0x7f},
		{F8E5M2, 1e9, Env{}, 0x7b},
		{F8E5M2, inf, Env{}, 0x7b},
		{F8E8M0FNU, 0, Env{}, 0},
		{F8E8M0FNU, -8, Env{}, 130},
		{F8E8M0FNU, 3, Env{Rounding: Zero}, 128},
		{F8E8M0FNU, 3, Env{Rounding: PosInf}, 129},
		{F8E8M0FNU, 3, Env{}, 129}, // halfway; of two one-digit significands the larger magnitude
		{F8E8M0FNU, 6, Env{}, 130},
		{F8E8M0FNU, inf, Env{}, 0xfe},
		{F8E8M0FNU, math.NaN(), Env{}, 0xff},
		{F4E2M1FN, math.NaN(), Env{}, 7},
		{F4E2M1FN, -100, Env{}, 0xf},
		{F4E2M1FN, 2.5, Env{}, 4},
		{F4E2M1FN, 0.25, Env{}, 0},
		{F8E5M3FNU, -1, Env{}, 0x78},
		{TF32, 1 + 0x1p-11, Env{}, 0x3f800000},
		{TF32, 1 + 0x1p-11, Env{Rounding: NearestAway}, 0x3f802000},
	}
	for _, tt := range tests {
		if got := tt.f.Encode(tt.x, tt.env); got != tt.want {
			t.Errorf("%v %v %+v: got %#x, want %#x", tt.f, tt.x, tt.env, got, tt.want)
		}
	}
	if got := TF32.Decode(0x3f801fff); got != 1 {
		t.Errorf("tf32 ignores its low bits: got %v", got)
	}
}

func TestConvert(t *testing.T) {
	t.Parallel()
	for _, from := range []Format{F16, F8E4M3FN, BF16} {
		for b := uint64(0); b < 1<<from.Bits(); b += 3 {
			x := from.Decode(b)
			for _, to := range []Format{BF16, F8E5M2, F8E4M3FN, F32} {
				env := Env{Rounding: rounding[b%5]}
				got := to.Convert(from, b, env)
				want := to.NaN()
				switch {
				case x == 0:
					want = to.Zero(math.Signbit(x))
				case math.IsInf(x, 0):
					s := to.Spec()
					want = s.infinite(x < 0, false)
				case x == x:
					want = to.referenceOf(exact(x), env)
				}
				if got != want {
					t.Fatalf("%v %#x to %v %v: got %#x, want %#x", from, b, to, env.Rounding, got, want)
				}
			}
		}
	}
	if got := F64.Convert(F32, 0x80000001, Env{FlushToZero: true}); got != 1<<63 {
		t.Errorf("a flushed operand converts to %#x", got)
	}
}
