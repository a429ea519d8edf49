package kernel

import (
	"math"

	"github.com/tilewright/tilewright/dialects/cudatile"
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// The kernels of this file compute what package numeric does, for the formats and operations that kernels spend their
// time in.

const (
	// The canonical NaNs of package numeric, so that a fast kernel and the slow one that it replaces agree to the
	// bit. A GPU makes 0x7fffffff of f32 (CUDA programming guide, "Floating-Point Standard"); those who compare
	// outputs take any NaN for any other.
	canonicalF32 = 0x7fc00000
	canonicalF64 = 0x7ff8000000000000
)

// fastBinary returns the kernel of an operation that rounds to nearest even and does not flush, or nil if there is no
// special one.
//
// The loops are written out for each operation. A function for each element, inlined or not, keeps the compiler from
// dropping bounds checks, and these loops are what most kernels do.
func fastBinary(def *ir.OpDef, f numeric.Format) Binary {
	op := operators[def]
	if op == 0 {
		return nil
	}
	switch f {
	case numeric.F32:
		return first2(vector.Arithmetic(op, f), binariesF32[def])
	case numeric.F64:
		return binariesF64[def]
	case numeric.F16, numeric.BF16:
		return first2(vector.Arithmetic(op, f), halfBinary(op, f))
	}
	return nil
}

// operators are the operations that have special kernels.
var operators = map[*ir.OpDef]byte{cudatile.AddF: '+', cudatile.SubF: '-', cudatile.MulF: '*', cudatile.DivF: '/'}

func f32(x uint64) float32 { return math.Float32frombits(uint32(x)) }

// A NaN result becomes the canonical one, since a CPU propagates payloads and signs; Go's float32 arithmetic rounds
// once for each of the four.
var binariesF32 = map[*ir.OpDef]Binary{
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

var binariesF64 = map[*ir.OpDef]Binary{
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
func fastUnary(def *ir.OpDef, f numeric.Format, env numeric.Env, slow func(x uint64) uint64) Unary {
	if sign := uint64(1) << (f.Bits() - 1); f.Spec().Signed && f.Spec().Pad == 0 {
		switch def {
		case cudatile.NegF:
			return func(out, a []uint64) {
				a, done := a[:len(out)], 0
				if vector.Xor != nil {
					done = vector.Xor(out, a, sign)
				}
				for i := done; i < len(out); i++ {
					out[i] = a[i] ^ sign
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
	case f == numeric.F32 && def == cudatile.TanH:
		return tanhF32(slow)
	case f == numeric.F32 && def == cudatile.Sqrt: // the second rounding is innocuous: 53 >= 2·24+2 bits (see half.go)
		return first1(vector.Sqrt, func(out, a []uint64) {
			a = a[:len(out)]
			for i, x := range a {
				out[i] = bitsF32(float32(math.Sqrt(float64(f32(x)))))
			}
		})
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
