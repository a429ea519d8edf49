// Package expandmath is the pass nvvm-expand-math: it writes elementary functions as arithmetic and the approximate instructions of the
// machine. The results are within 2 ulp of the exact ones, and log, log2, sin, cos, tan, sinh, cosh and tanh of f32 within 0.5003 (the tests measure it), infinities, NaN
// and subnormal numbers included; the approximations that the rounding "approx" asks for are single instructions.
//
// The methods are the usual ones (Muller, Elementary Functions, 3rd edition): the argument is reduced to a small range with constants of
// extra length, a polynomial or an instruction approximates the function there, and the result is put together with the error of its
// largest part made small. Powers need the logarithm in about twice the precision, which unevaluated sums of two numbers give (Dekker,
// A floating-point technique for extending the available precision, 1971). Functions on formats narrower than f32 are computed in f32 and
// rounded once.
package expandmath
