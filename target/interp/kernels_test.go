package interp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// samples returns patterns of a format: random ones, and many near special values.
func samples(f numeric.Format, n int) []uint64 {
	r := rand.New(rand.NewPCG(1, uint64(f)))
	env := numeric.Env{}
	special := []uint64{f.Zero(false), f.Zero(true), f.Inf(false), f.Inf(true), f.NaN(), f.MaxFinite(false), f.MaxFinite(true), f.Encode(1, env), f.Encode(-1, env), 1}
	out := make([]uint64, n)
	for i := range out {
		switch i % 4 {
		case 0:
			out[i] = special[r.IntN(len(special))] + uint64(r.IntN(5)) - 2
		case 1:
			out[i] = f.Encode(r.NormFloat64(), env)
		default:
			out[i] = r.Uint64()
		}
		out[i] &= 1<<f.Bits() - 1
	}
	return out
}

// The kernels for hot formats compute what package numeric does.
func TestFastKernels(t *testing.T) {
	t.Parallel()
	const n = 50_000
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64} {
		a, b := samples(f, n), samples(f, 2*n)[n:]
		out := make([]uint64, n)
		check := func(name string, want func(x, y uint64) uint64) {
			t.Helper()
			for i := range out {
				if w := want(a[i], b[i]); out[i] != w {
					t.Fatalf("%v %s of %#x and %#x: got %#x, want %#x", f, name, a[i], b[i], out[i], w)
				}
			}
		}
		for def, exact := range map[*ir.OpDef]float2{
			cudatile.AddF: numeric.Format.Add, cudatile.SubF: numeric.Format.Sub, cudatile.MulF: numeric.Format.Mul, cudatile.DivF: numeric.Format.Div,
		} {
			if k := fastBinary(def, f); k != nil {
				k(out, a, b)
				check(def.Name, func(x, y uint64) uint64 { return exact(f, x, y, numeric.Env{}) })
			} else if f != numeric.F64 {
				t.Errorf("%v has no kernel for %s", f, def.Name)
			}
		}
		for to, k := range conversions {
			if to[0] == f {
				k(out, a)
				check("to "+to[1].String(), func(x, _ uint64) uint64 { return to[1].Convert(f, x, numeric.Env{}) })
			}
		}
	}
	f := numeric.F32
	a, b := samples(f, n), samples(f, 2*n)[n:]
	out := make([]uint64, n)
	for _, propagate := range []bool{false, true} {
		for i, exact := range []func(numeric.Format, uint64, uint64, bool, numeric.Env) uint64{numeric.Format.Min, numeric.Format.Max} {
			minMaxF32(i == 1, propagate)(out, a, b)
			for k := range out {
				if w := exact(f, a[k], b[k], propagate, numeric.Env{}); out[k] != w {
					t.Fatalf("%d %t of %#x and %#x: got %#x, want %#x", i, propagate, a[k], b[k], out[k], w)
				}
			}
		}
		for p := numeric.Equal; p <= numeric.GreaterOrEqual; p++ {
			compareF32(p, propagate)(out, a, b)
			for k := range out {
				if w := truth(f.Compare(p, propagate, a[k], b[k])); out[k] != w {
					t.Fatalf("comparison %d of %#x and %#x: got %d", p, a[k], b[k], out[k])
				}
			}
		}
	}
}

// Every f32 on and next to the boundaries of rounding to f16 and bf16.
func TestRoundHalf(t *testing.T) {
	t.Parallel()
	for b := range uint64(1 << 16) {
		for _, f := range []numeric.Format{numeric.F16, numeric.BF16} {
			x, y := f.Decode(b), f.Decode(b+1)
			for _, v := range []float64{x, y, (x + y) / 2} {
				for _, w := range []float32{float32(v), math.Nextafter32(float32(v), 1e9), math.Nextafter32(float32(v), -1e9)} {
					got := uint64(roundF16(w))
					if f == numeric.BF16 {
						got = uint64(roundBF16(w))
					}
					if want := f.Encode(float64(w), numeric.Env{}); got != want {
						t.Fatalf("%v of %g: got %#x, want %#x", f, w, got, want)
					}
				}
			}
		}
	}
}
