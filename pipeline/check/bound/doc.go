// Package bound derives how far what a launch computes may be from what it would compute without rounding.
//
//	%s = for %i in (0 to 4, step 1) iter_values(%c = 0.0)  f16 products, K = 32, inputs from -1 to 1
//	%o = ftof %s : f32 -> f16                              |error| <= 1.6e-3 + 4.9e-4 |%o|
//
// # Model
//
// The bound follows from the types and from lengths of sums. It is one of a launch: scalars are the launch's numbers, so
// trip counts are known, and of buffers the smallest and the largest element counts.
//
// Of each tile of floats it keeps what the elements would be without rounding (an interval, a power of two that divides
// all, the smallest magnitude besides zero), and a bound abs + rel |x| of the error of an element x. An operation
// adds what its operands hand on, then its own rounding: half a unit in the last place of its format. A sum of n terms in
// any order adds gamma(n) = n u / (1 - n u) times the sum of magnitudes (Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, section 3.1 and theorem 4.1). Where all terms have one sign that error is a relative one. A
// number that the format has exactly is not rounded: products of small integers have the bound zero.
//
// There is no bound where a comparison of rounded numbers decides, where a divisor may be small against its error,
// where memory adds floats, and where the launch has segments. Then the error says why.
package bound
