// Package fp is the floating-point arithmetic of the emulator, on bit patterns. It has formats from binary64 down to
// four bits, every rounding direction, and the operations of f16, bf16, f32 and f64.
//
//	F16.Round(x, TowardZero)    a float64 to the pattern of an f16
//	half.Fma(a, b, c)           exact product, sum rounded to odd, rounded once to f16 or bf16
//
// It knows no types, registers or instructions of PTX. A [Format] is a description, and one pair of functions, decode
// and round, serves all formats. f16, bf16 and f32 have faster functions as well, which tests compare with the plain
// ones bit for bit.
//
// # How a result is rounded once
//
// Go computes in binary64 and rounds to nearest. That suffices for every narrower format. An exact double, or one
// "rounded to odd" (see odd), loses nothing that the second rounding could miss. Binary64 has 53 bits, so a format of
// at most 50 bits still sees on which side of a tie the exact result lies.
//
// math/big would allocate for each operation. It is used for f64 in the directed modes, and by the tests. float32
// arithmetic is used for f32 where that is exact: addition and multiplication to nearest. A fused multiply-add in
// binary64 would round twice, so its sum is rounded to odd first.
//
// # Sources
//
// PTX ISA, "Floating-Point Instructions", "Half Precision Floating-Point Instructions" (special cases, .ftz, NaN), and
// "Alternate Floating-Point Data Formats" (e4m3, e5m2, e2m3, e3m2, e2m1, ue8m0). The narrow formats are those of the
// OCP Microscaling Formats specification and "FP8 Formats for Deep Learning" (Micikevicius et al.). Of the eight-bit
// formats, e5m2 has infinities and e4m3 has only NaN. Those of four and six bits have neither.
package fp
