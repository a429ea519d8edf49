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

// fastUnary returns the kernel of an operation that slow defines, or nil if there is no special one.
func fastUnary(def *ir.OpDef, f numeric.Format, env numeric.Env, slow func(x uint64) uint64) kernel1 {
	if sign := uint64(1) << (f.Bits() - 1); f.Spec().Signed && f.Spec().Pad == 0 {
		switch def {
		case cudatile.NegF:
			return func(out, a []uint64) {
				a = a[:len(out)]
				for i, x := range a {
					out[i] = x ^ sign
				}
			}
		case cudatile.AbsF:
			return func(out, a []uint64) {
				a = a[:len(out)]
				for i, x := range a {
					out[i] = x &^ sign
				}
			}
		}
	}
	if f == numeric.F32 && env.Rounding == numeric.NearestEven && !env.Saturate {
		switch def { // a subnormal operand and zero have the same exponential
		case cudatile.Exp:
			return expF32(&naturalBase, slow)
		case cudatile.Exp2:
			return expF32(&binaryBase, slow)
		case cudatile.Log:
			return logF32(1, slow)
		case cudatile.Log2:
			return logF32(1/math.Ln2, slow)
		}
	}
	if env != (numeric.Env{}) {
		return nil
	}
	switch {
	case f == numeric.F32 && def == cudatile.Sqrt: // of a float64 it is precise enough to be rounded again
		return func(out, a []uint64) {
			a = a[:len(out)]
			for i, x := range a {
				out[i] = bitsF32(float32(math.Sqrt(float64(f32(x)))))
			}
		}
	case f == numeric.F64:
		if g := unariesF64[def]; g != nil {
			return func(out, a []uint64) {
				a = a[:len(out)]
				for i, x := range a {
					out[i] = bitsF64(g(math.Float64frombits(x)))
				}
			}
		}
	}
	return nil
}

// unariesF64 are the operations of which package numeric yields what package math does.
var unariesF64 = map[*ir.OpDef]func(float64) float64{cudatile.Exp: math.Exp, cudatile.Exp2: math.Exp2, cudatile.Sqrt: math.Sqrt}

func bitsF32(x float32) uint64 {
	if x != x {
		return canonicalF32
	}
	return uint64(math.Float32bits(x))
}

// fastMinMax returns the kernel of maxf or minf in a format that IEEE 754 defines, or nil. Ordered by sign and magnitude, patterns compare like
// the values, and -0 is less than +0.
func fastMinMax(f numeric.Format, larger, propagate bool) kernel2 {
	switch f {
	case numeric.F16, numeric.BF16, numeric.F32, numeric.F64:
	default:
		return nil
	}
	shift, infinity, nan := uint(64-f.Bits())&63, f.Inf(false), f.NaN()
	magnitude := ^uint64(0) >> 1 >> shift
	return func(out, a, b []uint64) {
		a, b = a[:len(out)], b[:len(out)]
		for i := range out {
			x, y := a[i], b[i]
			xNaN, yNaN := x&magnitude > infinity, y&magnitude > infinity
			switch {
			case xNaN || yNaN:
				switch {
				case propagate || xNaN && yNaN:
					x = nan
				case xNaN:
					x = y
				}
			default:
				p, q := int64(x<<shift), int64(y<<shift)
				p ^= int64(uint64(p>>63) >> 1)
				q ^= int64(uint64(q>>63) >> 1)
				if (p < q) == larger {
					x = y
				}
			}
			out[i] = x
		}
	}
}

// fastCompare returns the kernel of cmpf in a format, or nil. Each of the four relations that two values can have looks up its answer.
func fastCompare(f numeric.Format, p numeric.Predicate, unordered bool) kernel2 {
	one, two, nan := f.Encode(1, numeric.Env{}), f.Encode(2, numeric.Env{}), f.NaN()
	answer := func(a, b uint64) uint64 { return truth(f.Compare(p, unordered, a, b)) }
	r := relations{answer(one, two), answer(one, one), answer(two, one), answer(one, nan)}
	switch f {
	case numeric.F32:
		return func(out, a, b []uint64) {
			a, b = a[:len(out)], b[:len(out)]
			for i := range out {
				out[i] = relate(&r, f32(a[i]), f32(b[i]))
			}
		}
	case numeric.F64:
		return func(out, a, b []uint64) {
			a, b = a[:len(out)], b[:len(out)]
			for i := range out {
				out[i] = relate(&r, math.Float64frombits(a[i]), math.Float64frombits(b[i]))
			}
		}
	case numeric.F16, numeric.BF16:
		return func(out, a, b []uint64) {
			var xs, ys [chunk]float32
			for len(out) > 0 {
				n := min(chunk, len(out))
				x, y := xs[:n], ys[:n]
				decodeHalf(f, x, a)
				decodeHalf(f, y, b)
				for i := range x {
					out[i] = relate(&r, x[i], y[i])
				}
				out, a, b = out[n:], a[n:], b[n:]
			}
		}
	}
	return nil
}

// relations are the answers for each relation of two values.
type relations struct{ less, equal, greater, other uint64 }

func relate[T float32 | float64](r *relations, x, y T) uint64 {
	switch {
	case x < y:
		return r.less
	case x == y:
		return r.equal
	case x > y:
		return r.greater
	}
	return r.other
}
