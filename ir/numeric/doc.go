// Package numeric is the exact arithmetic of the element types: what an addf, a divi or an ftof on one element yields,
// bit for bit. Constant folders and the tile interpreter both call it, so that folding a constant never changes the
// value a kernel computes.
//
// # Model
//
// An element is a bit pattern in the low bits of a uint64. Its type is a [Format] for floating point, and a width (1,
// 4, 8, 16, 32 or 64 bits) for integers, which are signless: signedness belongs to the operation.
//
// A Format is described by data (exponent bits, mantissa bits, bias, which codes are infinities and NaNs), and every
// format decodes to a float64 without loss. An [Env] says how an operation rounds, whether it flushes subnormals and
// whether it saturates; its zero value is round to nearest even without either.
//
// Each operation rounds once. In formats narrower than f64 the operation is done in float64, and its result is rounded
// to odd: the last bit remembers whether anything was discarded. Since 53 >= p+2 for the precision p of every such
// format, rounding that value to p bits gives the correctly rounded result in any direction. (Boldo and Melquiond,
// "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE Transactions on
// Computers 2008.) f64 in a directed mode is done on 128-bit significands. f32 and f64 to nearest even are native Go
// operations.
//
// # Choices
//
//   - A NaN result is the format's canonical NaN; f4E2M1FN has none and takes its largest finite value, like the PTX
//     conversion. Neg and Abs only touch the sign bit.
//   - The 4- and 8-bit formats saturate to the largest finite value on overflow and for infinite inputs, because PTX
//     has no other conversion; the IEEE formats overflow as their rounding mode says.
//   - Formats without a sign drop it: the magnitude is encoded. f8E8M0FNU has no zero; what is below its range becomes
//     its smallest value, and with one significant bit a tie goes to the larger magnitude (IEEE 754-2019, 4.3.1).
//   - Flushing keeps the sign. A result is flushed when it is subnormal after rounding.
//   - Integer division by zero, the most negative value over -1 and a conversion out of range are undefined in Tile IR;
//     those functions return a documented value and false.
//
// Sources: Tile IR specification 13.3 (rounding modes, comparison predicates, integer semantics), PTX ISA (cvt, min,
// max, .ftz), OCP Microscaling formats 1.0 (8- and 4-bit formats), IEEE 754-2019.
package numeric
