// Package makeexact is the pass make-exact. It rewrites a kernel such that all of its floats are small integers, so
// that sums are exact in any order and two ways to run the kernel must agree bit for bit.
//
//	%p = exp %s : tile<64x64xf32>         becomes   a hash of the bits of %s, -1 or 1
//	%c = constant <f32: 1.442695>                   a constant of the same kind
//	%o = mmaf %a, %b, %acc                          mmaf %a, %b, %acc: a sum of products of integers is exact
//	%n = ftof %o : f32 -> bf16                      ftof of a hash of %o, if %o may be above 256
//
// The kernel computes something else afterwards. But it loads, multiplies, reduces, masks and stores the same elements
// in the same loops, so a compiler that drops one of them, or takes one of another row, is found without a tolerance.
// Hashes are integer operations on tiles, so neither the interpreter nor the code needs to know about them.
//
// # Model
//
// An operation of an elementary function, a division or a root is replaced by a hash of its operands (hash.go). The
// hash is one of the value: zeros of both signs have one, and so have all NaNs. It is never zero, which would
// hide what it is multiplied with. In loops it is -1 or 1, outside of loops up to 8: what a loop multiplies an
// accumulator with must not make it grow.
//
// A bound of the magnitude is computed for each float (bounds.go): loaded elements are inputs, a sum adds the bounds, a
// product multiplies them. An operand that could make a result too large for its format is hashed too, as late as
// possible. So an accumulator of f32 stays as it is in its loop. The largest integer below which a format of p bits has
// all integers is 2^p (Muller and others, Handbook of Floating-Point Arithmetic, 2nd edition, section 2.2).
//
// A loop-carried value whose bound grows by a constant in each iteration is bounded by the number of iterations
// (loops.go). If that is not known, it counts as mostTrips. One that grows faster is hashed where it enters the next
// iteration.
//
// Infinities and NaNs stay what they are, for they too do not depend on an order. Assertions are dropped, since they
// are about numbers that the kernel does not compute any more. Integers and control flow do not change, unless they
// come from floats.
package makeexact
