package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// Products have the bits of a chain of fused multiply-adds, with vectors and without, in extents with and without
// panels, of random numbers and of all that is special.
func TestMultiplyAdd(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	number := func() float64 {
		switch r.IntN(40) {
		case 0:
			return math.Float64frombits(r.Uint64())
		case 1:
			return []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64, math.MaxFloat64}[r.IntN(7)]
		}
		return r.NormFloat64()
	}
	numbers := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = number()
		}
		return out
	}
	extents := []int{1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 31, 64}
	for range 150 {
		m, n, k := extents[r.IntN(len(extents))], extents[r.IntN(len(extents))], extents[r.IntN(len(extents))]
		if r.IntN(4) == 0 {
			k = panelDepth + r.IntN(2*panelDepth)
		}
		x, y, sum := numbers(m*k), numbers(k*n), numbers(m*n)
		if r.IntN(2) == 0 { // so that not nearly all sums are NaNs
			for _, list := range [][]float64{x, y, sum} {
				for i := range list {
					list[i] = r.NormFloat64()
				}
			}
		}
		want := append([]float64(nil), sum...)
		for i := range m {
			for j := range n {
				for p := range k {
					want[i*n+j] = math.FMA(x[i*k+p], y[p*n+j], want[i*n+j])
				}
			}
		}
		for name, multiply := range map[string]func(sum, x, y []float64, k, n int){"MultiplyAdd": MultiplyAdd, "multiplyAddRows": multiplyAddRows} {
			got := append([]float64(nil), sum...)
			multiply(got, x, y, k, n)
			for i := range got {
				if a, b := bitsF64(got[i]), bitsF64(want[i]); a != b {
					t.Fatalf("%s of %d x %d by %d x %d: element %d: got %#x, want %#x", name, m, k, k, n, i, a, b)
				}
			}
		}
	}
}

// The same from and to f32.
func TestMultiplyAddF32(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ m, k, n int }{{4, 1, 4}, {8, 5, 8}, {4, 16, 12}, {16, 64, 128}, {64, panelDepth, 64}, {12, 7, 20}, {3, 4, 4}, {4, 4, 2}, {4, panelDepth + 1, 4}} {
		x, y := samples(numeric.F32, c.m*c.k), samples(numeric.F32, 2*c.k*c.n)[c.k*c.n:]
		sum := samples(numeric.F32, 3*c.m*c.n)[2*c.m*c.n:]
		if i%2 == 0 { // so that not nearly all sums are NaNs
			for _, list := range [][]uint64{x, y, sum} {
				for i := range list {
					list[i] = numeric.F32.Encode(math.Sin(float64(i*i)), numeric.Env{})
				}
			}
		}
		decode := func(list []uint64) []float64 {
			out := make([]float64, len(list))
			Decoder64(numeric.F32)(out, list)
			return out
		}
		want := decode(sum)
		multiplyAddRows(want, decode(x), decode(y), c.k, c.n)
		got := make([]uint64, len(sum))
		done := MultiplyAddF32(got, sum, decode(x), decode(y), c.k, c.n)
		if fits := c.m%4 == 0 && c.n%4 == 0 && c.k <= panelDepth && len(vector.Panels) > 0; done != fits {
			t.Fatalf("%v: got %t, want %t", c, done, fits)
		}
		for i := range got {
			if w := numeric.F32.Encode(want[i], numeric.Env{}); done && got[i] != w {
				t.Fatalf("%v: element %d: got %#x, want %#x", c, i, got[i], w)
			}
		}
	}
}

// Sums of f32 have the bits of a chain of fused multiply-adds of f32, in extents with and without panels.
func TestFusedMultiplyAddF32(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ m, k, n int }{
		{4, 1, 8}, {8, 5, 16}, {4, 16, 24}, {16, 64, 128}, {8, 2*panelDepth + 3, 120}, {12, 7, 20}, {3, 4, 4}, {1, panelDepth + 1, 9}, {6, 3, 72}, {1, 1, 1},
	} {
		for _, special := range []bool{false, true} {
			x, y := samples(numeric.F32, c.m*c.k), samples(numeric.F32, 2*c.k*c.n)[c.k*c.n:]
			sum := samples(numeric.F32, 3*c.m*c.n)[2*c.m*c.n:]
			if !special { // so that not nearly all sums are NaNs
				for _, list := range [][]uint64{x, y, sum} {
					for j := range list {
						list[j] = numeric.F32.Encode(math.Sin(float64(i+j*j)), numeric.Env{})
					}
				}
			}
			want := append([]uint64(nil), sum...)
			for i := range c.m {
				for j := range c.n {
					for p := range c.k {
						want[i*c.n+j] = slowFMA(numeric.F32, x[i*c.k+p], y[p*c.n+j], want[i*c.n+j])
					}
				}
			}
			got := make([]uint64, len(sum))
			FusedMultiplyAddF32(got, sum, vector.Rows{Data: floats(x), Stride: c.k}, vector.Rows{Data: floats(y), Stride: c.n}, c.k, c.n)
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("%v: element %d: got %#x, want %#x", c, i, got[i], want[i])
				}
			}
		}
	}
}

func floats(patterns []uint64) []float32 {
	var out []float32
	for _, b := range patterns {
		out = append(out, math.Float32frombits(uint32(b)))
	}
	return out
}

// Numbers become those of double precision that the definition says.
func TestDecoder64(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64, numeric.TF32, numeric.F8E4M3FN, numeric.F8E5M2, numeric.F4E2M1FN} {
		src, dst := samples(f, n), make([]float64, n)
		for _, part := range parts(n) {
			for i := 0; i < n; i += part {
				end := min(i+part, n)
				Decoder64(f)(dst[i:end], src[i:end])
			}
			for i, b := range src {
				if w := f.Decode(b); math.Float64bits(dst[i]) != math.Float64bits(w) && !(math.IsNaN(w) && math.IsNaN(dst[i])) {
					t.Fatalf("%v of %#x: got %g, want %g", f, b, dst[i], w)
				}
			}
		}
	}
}

// Numbers come back from double precision as the definition rounds them.
func TestEncoder64(t *testing.T) {
	t.Parallel()
	const n = 20_000
	for _, f := range []numeric.Format{numeric.F16, numeric.BF16, numeric.F32, numeric.F64, numeric.TF32} {
		x, out := make([]float64, n), make([]uint64, n)
		Decoder64(numeric.F64)(x, samples(numeric.F64, n))
		for i := range x[:n/2] {
			x[i] = math.Ldexp(x[i]-math.Trunc(x[i]), i%400-200)
		}
		for _, part := range parts(n) {
			for i := 0; i < n; i += part {
				end := min(i+part, n)
				Encoder64(f)(out[i:end], x[i:end])
			}
			for i := range out {
				if w := f.Encode(x[i], numeric.Env{}); out[i] != w {
					t.Fatalf("%v of %g: got %#x, want %#x", f, x[i], out[i], w)
				}
			}
		}
	}
}
