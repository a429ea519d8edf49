package numeric

import "math"

// uncertainty bounds the relative error of the elementary functions in float64, generously: theirs is below 2^-44
// even where an argument below farAngle is next to a zero of a sine.
const uncertainty = 1. / (1 << 40)

// farAngle is where the reduction of an angle begins to lose digits.
const farAngle = 1 << 29

// Unary applies one of the elementary functions, and reports whether the result is certain to be correctly rounded. It
// is if every value as near to the computed one as its error allows rounds to the same result. (Ziv, "Fast evaluation
// of elementary mathematical functions with correctly rounded last bit", ACM TOMS 1991.) For f32 one result in about
// 2^15 is not certain. For f64 only those of zeros, infinities and NaN are.
func (f Format) Unary(fn func(f Format, a uint64, env Env) uint64, a uint64, env Env) (result uint64, certain bool) {
	result = fn(f, a, env)
	x := f.operand(a, env)
	if f == F64 {
		return result, !finiteNonzero(x) || f.IsNaN(result)
	}
	return result, f.certain(F64.Decode(fn(F64, math.Float64bits(x), Env{})), env)
}

// Periodic is Unary for sine, cosine and tangent; nothing is certain of large angles.
func (f Format) Periodic(fn func(f Format, a uint64, env Env) uint64, a uint64, env Env) (result uint64, certain bool) {
	result, certain = f.Unary(fn, a, env)
	x := f.Decode(a)
	return result, certain && !(finiteNonzero(x) && math.Abs(x) >= farAngle)
}

// Binary is Unary for a function of two arguments; of f64 only a NaN is certain.
func (f Format) Binary(fn func(f Format, a, b uint64, env Env) uint64, a, b uint64, env Env) (result uint64, certain bool) {
	result = fn(f, a, b, env)
	if f == F64 {
		return result, f.IsNaN(result)
	}
	x, y := f.operand(a, env), f.operand(b, env)
	return result, f.certain(F64.Decode(fn(F64, math.Float64bits(x), math.Float64bits(y), Env{})), env)
}

// certain reports whether everything near x is rounded to the same pattern.
func (f Format) certain(x float64, env Env) bool {
	return !finiteNonzero(x) || f.Encode(x*(1-uncertainty), env) == f.Encode(x*(1+uncertainty), env)
}
