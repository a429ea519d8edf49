package kernel

import (
	"github.com/tilewright/tilewright/ir"
	"github.com/tilewright/tilewright/ir/numeric"
	"github.com/tilewright/tilewright/target/engine/interp/vector"
)

// Kernels compute the elements of a result from those of operands of the same length.
type (
	Unary   func(out, a []uint64)
	Binary  func(out, a, b []uint64)
	Ternary func(out, a, b, c []uint64)
)

type (
	// A definition is what package numeric says an operation does to one element.
	Definition1 = func(f numeric.Format, a uint64, env numeric.Env) uint64
	Definition2 = func(f numeric.Format, a, b uint64, env numeric.Env) uint64
)

// Function returns the kernel of an operation in a format.
//
// The order of the tries is that of speed; each way rejects what it does not do bit for bit.
func Function(def *ir.OpDef, f Definition1, format numeric.Format, env numeric.Env) Unary {
	slow := func(x uint64) uint64 { return f(format, x, env) }
	if k := fastUnary(def, format, env, slow); k != nil {
		return k
	}
	if k := Tabulated(TableKey{def, format, format, env}, slow); k != nil {
		return k
	}
	return func(out, a []uint64) {
		a = a[:len(out)]
		for i, x := range a {
			out[i] = slow(x)
		}
	}
}

// Arithmetic returns the kernel of an operation in a format.
func Arithmetic(def *ir.OpDef, f Definition2, format numeric.Format, env numeric.Env) Binary {
	if env == (numeric.Env{}) {
		if k := fastBinary(def, format); k != nil {
			return k
		}
	}
	var v vector.Binary
	if flushesF32(format, env) {
		v = vector.Flushing(operators[def])
	}
	return first2(v, func(out, a, b []uint64) {
		for i := range out {
			out[i] = f(format, a[i], b[i], env)
		}
	})
}

// flushesF32 reports whether an operation on f32 differs from the default in that it flushes subnormal numbers.
func flushesF32(f numeric.Format, env numeric.Env) bool {
	return f == numeric.F32 && env == (numeric.Env{FlushToZero: true})
}

// group is how many elements are computed in Go where vector instructions stop.
const group = 8

// first1 returns the kernel that leaves as many elements as possible to vector instructions, of which there may be
// none.
func first1(v vector.Unary, rest Unary) Unary {
	if v == nil {
		return rest
	}
	return func(out, a []uint64) {
		for len(out) > 0 {
			n := v(out, a)
			end := min(n+group, len(out))
			rest(out[n:end], a[n:end])
			out, a = out[end:], a[end:]
		}
	}
}

// first2 is first1 for two operands.
func first2(v vector.Binary, rest Binary) Binary {
	if v == nil {
		return rest
	}
	return func(out, a, b []uint64) {
		n := v(out, a, b)
		rest(out[n:], a[n:], b[n:])
	}
}

// first3 is first1 for three operands.
func first3(v vector.Ternary, rest Ternary) Ternary {
	if v == nil {
		return rest
	}
	return func(out, a, b, c []uint64) {
		n := v(out, a, b, c)
		rest(out[n:], a[n:], b[n:], c[n:])
	}
}
