// Package arith has the instructions that compute in registers, lane by lane: integers, bits, floating point,
// comparisons, conversions, moves and video instructions.
//
// It knows no memory and no other thread; what an instruction does to one lane is a function of bit patterns, from
// package fp or written here, and package decode spreads it over the lanes. Other packages ask it for the functions
// that atomics, reductions and collectives share with ordinary instructions ([UpdateFunc], [MinMaxInt], [BitOps]).
//
// Source: PTX ISA, "Integer Arithmetic Instructions" to "Data Movement and Conversion Instructions: cvt, mov, prmt",
// "Scalar Video Instructions", "SIMD Video Instructions".
package arith
