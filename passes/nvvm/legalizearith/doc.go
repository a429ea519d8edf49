// Package legalizearith is the pass nvvm-legalize-arith. It rewrites arithmetic that PTX, or the target, has no
// instruction for into arithmetic that exists. Results have the same bits.
//
//	%y = addi %a, %b : i8           %w = addi (extui %a), (extui %b) : i16 ; %y = trunci %w
//	%z = divf %x, %y : f16          %z = ftof (divf (ftof %x), (ftof %y) : f32) : f16
//
// Integers: i1 becomes logic; i8 is computed in i16; divisions that round up or down become a division and a
// correction.
//
// Floats: what a narrow format lacks is computed in f32 and rounded to the format. That is right although it rounds
// twice:
//
//   - Directed roundings compose, because every value of the narrow format is one of f32: rounding down twice is
//     rounding down.
//   - To nearest, the first rounding of +, -, *, / and the square root is innocuous when f32 has at least 2p+2 bits
//     for p bits of the format (Figueroa, When is double rounding innocuous?, SIGNUM 1995): 24 bits are enough for
//     f16 and tf32 (p = 11), bf16 (8) and the 8-bit formats. Where both formats share the exponent range and the
//     result is subnormal, the distance of a product or quotient of short operands from a midpoint is still larger
//     than what f32 loses.
//   - Other conversions that need an intermediate format round to odd first: towards zero, with the last bit set when
//     something was lost. Rounding that to a format at least two bits shorter is as good as rounding once (Boldo and
//     Melquiond, Emulation of FMA and correctly rounded sums, IEEE TC 2008).
//
// On targets without conversions of 8-bit floats these are written with integer operations, and directed roundings to
// them everywhere; so are all conversions of 4-bit floats. Integers of 4 bits are computed in i16.
//
// Atomic additions that the target lacks become loops around a compare-and-swap of the element.
package legalizearith
