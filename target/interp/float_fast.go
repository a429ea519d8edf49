package interp

import (
	"math"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
)

// The kernels of this file compute what package numeric does, for the formats and operations that kernels spend their time in.

const (
	canonicalF32 = 0x7fc00000
	canonicalF64 = 0x7ff8000000000000
)

// fastBinary returns the kernel of an operation that rounds to nearest even and does not flush, or nil if there is no special one.
func fastBinary(def *ir.OpDef, f numeric.Format) kernel2 {
	switch f {
	case numeric.F32:
		return binariesF32[def]
	case numeric.F64:
		return binariesF64[def]
	case numeric.F16, numeric.BF16:
		if op := halfOps[def]; op != 0 {
			return halfBinary(op, f)
		}
	}
	return nil
}

func f32(x uint64) float32 { return math.Float32frombits(uint32(x)) }

var binariesF32 = map[*ir.OpDef]kernel2{
	cudatile.AddF: func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			s := f32(a[i]) + f32(b[i])
			r := math.Float32bits(s)
			if s != s {
				r = canonicalF32
			}
			out[i] = uint64(r)
		}
	},
	cudatile.SubF: func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			s := f32(a[i]) - f32(b[i])
			r := math.Float32bits(s)
			if s != s {
				r = canonicalF32
			}
			out[i] = uint64(r)
		}
	},
	cudatile.MulF: func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			s := f32(a[i]) * f32(b[i])
			r := math.Float32bits(s)
			if s != s {
				r = canonicalF32
			}
			out[i] = uint64(r)
		}
	},
	cudatile.DivF: func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			s := f32(a[i]) / f32(b[i])
			r := math.Float32bits(s)
			if s != s {
				r = canonicalF32
			}
			out[i] = uint64(r)
		}
	},
}

var binariesF64 = map[*ir.OpDef]kernel2{
	cudatile.AddF: func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = bitsF64(math.Float64frombits(a[i]) + math.Float64frombits(b[i]))
		}
	},
	cudatile.SubF: func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = bitsF64(math.Float64frombits(a[i]) - math.Float64frombits(b[i]))
		}
	},
	cudatile.MulF: func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			out[i] = bitsF64(math.Float64frombits(a[i]) * math.Float64frombits(b[i]))
		}
	},
}

func bitsF64(x float64) uint64 {
	if x != x {
		return canonicalF64
	}
	return math.Float64bits(x)
}

// minMaxF32 returns the kernel of maxf or minf in f32. Ordered by sign and magnitude, patterns compare like the values, and -0 is
// less than +0.
func minMaxF32(larger, propagate bool) kernel2 {
	return func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			x, y := a[i], b[i]
			const infinity = 0x7f800000
			xNaN, yNaN := x&0x7fffffff > infinity, y&0x7fffffff > infinity
			switch {
			case xNaN || yNaN:
				switch {
				case propagate || xNaN && yNaN:
					x = canonicalF32
				case xNaN:
					x = y
				}
			case (orderF32(x) < orderF32(y)) == larger:
				x = y
			}
			out[i] = x
		}
	}
}

func orderF32(x uint64) int32 {
	s := int32(x)
	return s ^ int32(uint32(s>>31)>>1)
}

// compareF32 returns the kernel of cmpf in f32. Each of the four relations that two values can have looks up its answer.
func compareF32(p numeric.Predicate, unordered bool) kernel2 {
	one, two, nan := numeric.F32.Encode(1, numeric.Env{}), numeric.F32.Encode(2, numeric.Env{}), numeric.F32.NaN()
	answer := func(a, b uint64) uint64 { return truth(numeric.F32.Compare(p, unordered, a, b)) }
	less, equal, greater, other := answer(one, two), answer(one, one), answer(two, one), answer(one, nan)
	return func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			x, y := f32(a[i]), f32(b[i])
			switch {
			case x < y:
				out[i] = less
			case x == y:
				out[i] = equal
			case x > y:
				out[i] = greater
			default:
				out[i] = other
			}
		}
	}
}
