package kernel

import (
	"math"

	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// A product of elements of f16, bf16 or f32 is exact in float64. The sum with the third operand is rounded there first.
// That shows after the second rounding only if the first one ended in the middle between two numbers of the format. The
// middles are float64 numbers, so that no sum crosses one. Those sums, and results that are not normal, take the slow
// way.

// FMA returns the kernel of fma in a format.
func FMA(f numeric.Format, env numeric.Env) Ternary {
	if env == (numeric.Env{}) {
		if k := fastFMA(f); k != nil {
			return k
		}
	}
	var v vector.Ternary
	if flushesF32(f, env) {
		v = vector.FMAFlushing
	}
	return first3(v, func(out, a, b, c []uint64) {
		for i := range out {
			out[i] = f.FMA(a[i], b[i], c[i], env)
		}
	})
}

// fastFMA returns the kernel of fma to nearest even, or nil.
func fastFMA(f numeric.Format) Ternary {
	switch f {
	case numeric.F16, numeric.BF16:
		return fmaHalf(f)
	case numeric.F32:
		return first3(vector.FMA, fmaF32)
	case numeric.F64:
		return fmaF64
	}
	return nil
}

// slowFMA is the general definition.
func slowFMA(f numeric.Format, a, b, c uint64) uint64 { return f.FMA(a, b, c, numeric.Env{}) }

func fmaF64(out, a, b, c []uint64) {
	a, b, c = a[:len(out)], b[:len(out)], c[:len(out)]
	for i := range out {
		out[i] = bitsF64(math.FMA(math.Float64frombits(a[i]), math.Float64frombits(b[i]), math.Float64frombits(c[i])))
	}
}

func fmaF32(out, a, b, c []uint64) {
	a, b, c = a[:len(out)], b[:len(out)], c[:len(out)]
	const dropped = 52 - 23
	for i := range out {
		s := float64(f32(a[i]))*float64(f32(b[i])) + float64(f32(c[i]))
		y := math.Float64bits(s)
		if y&(1<<dropped-1) == 1<<(dropped-1) || !(math.Abs(s) > 0x1p-125) {
			out[i] = slowFMA(numeric.F32, a[i], b[i], c[i])
			continue
		}
		out[i] = uint64(math.Float32bits(float32(s)))
	}
}

// fmaHalf is fmaF32 for f16 or bf16.
func fmaHalf(f numeric.Format) Ternary {
	spec := f.Spec()
	dropped := (52 - uint(spec.Man)) & 63
	ones, middle := uint64(1)<<dropped-1, uint64(1)<<(dropped-1)
	rebias := uint64(1023-spec.Bias) << 52
	return func(out, a, b, c []uint64) {
		var xs, ys, zs [chunk]float32
		for len(out) > 0 {
			n := min(chunk, len(out))
			x, y, z := xs[:n], ys[:n], zs[:n]
			decodeHalf(f, x, a)
			decodeHalf(f, y, b)
			decodeHalf(f, z, c)
			for i := range x {
				s := math.Float64bits(float64(x[i])*float64(y[i]) + float64(z[i]))
				m := s &^ (1 << 63)
				// Adding just under the middle, and one more if the last kept place is odd, carries exactly when
				// rounding goes up.
				r := (m - rebias + middle - 1 + m>>dropped&1) >> dropped
				if s&ones == middle || m < rebias+1<<52 || r > spec.MaxFinite {
					out[i] = slowFMA(f, a[i], b[i], c[i])
					continue
				}
				out[i] = s>>63<<15 | r
			}
			out, a, b, c = out[n:], a[n:], b[n:], c[n:]
		}
	}
}
