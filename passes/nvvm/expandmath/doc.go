// Package expandmath is the pass nvvm-expand-math. It expands elementary functions into arithmetic and the
// approximate instructions of the hardware.
//
//	%y = math.exp %x : f32        %n = round(%x * log2 e) ; %f = %x * log2 e - %n ; %y = 2^%n * ex2.approx(%f)
//
// Errors are within the bounds that CUDA publishes, 1 to 4 ulp (short.go, shorttrig.go). With accuracy=exact, those of
// log, log2, sin, cos, tan, sinh, cosh and tanh of f32 are 0.5003 ulp (rounded.go, wave.go). The tests measure both.
// Infinities, NaN and subnormal numbers are included. Functions with the rounding "approx" are single instructions.
//
// The methods are the usual ones (Muller, Elementary Functions, 3rd edition). The argument is reduced to a small
// range with constants of extra length, and a polynomial or an instruction approximates the function there. The
// parts of the result are added such that the error of the largest part is small. Powers need the logarithm in
// about twice the precision, which unevaluated sums of two numbers give (Dekker, A floating-point technique for
// extending the available precision, 1971).
//
// Functions on formats narrower than f32 are computed in f32 and rounded once.
package expandmath
