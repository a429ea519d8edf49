// Package fp has the floating-point arithmetic of the emulator, on bit patterns: formats from binary64 down to four
// bits, rounding in every direction, and the operations of f16, bf16, f32 and f64.
//
// It knows nothing of PTX beyond what its instructions demand of numbers: no types, no registers, no instructions. A
// [Format] is a description, and one pair of functions, decode and round, serves all formats; the short cuts for f16,
// bf16 and f32 stand beside them and tests hold them to the plain way bit for bit.
//
// # How a result is rounded once
//
// Go computes in binary64 and rounds to nearest. That is enough for every narrower format, because an exact or a
// "rounded to odd" double (see odd) loses nothing that the second rounding could miss: binary64 has 53 bits, and a
// format of at most 50 bits still sees on which side of a tie the exact result lies. The alternative, math/big,
// allocates for each operation; it is used where nothing else helps, for f64 in the directed modes, and by the tests.
// Why not float32 arithmetic for f32: with rounding to nearest it is used where it is exact to do so (addition and
// multiplication); a fused multiply-add in binary64 would round twice, so that its sum is rounded to odd first.
//
// # Sources
//
// PTX ISA, "Floating-Point Instructions", "Half Precision Floating-Point Instructions" (special cases, .ftz, NaN), and
// "Alternate Floating-Point Data Formats" (e4m3, e5m2, e2m3, e3m2, e2m1, ue8m0). The narrow formats are those of the
// OCP Microscaling Formats specification and "FP8 Formats for Deep Learning" (Micikevicius et al.): of the formats of
// eight bits, e5m2 has infinities, e4m3 has only NaN, and those of four and six bits have neither.
package fp
