// Package arith has the instructions that compute in registers, lane by lane: integers, bits, floating point,
// comparisons, conversions, moves and video instructions.
//
//	add.sat.s32 %r2, %r0, %r1;   addSub chooses func(a, b uint64) uint64
//	                             decode.Map2 spreads it over the active lanes
//
// It knows no memory and no other thread. What an instruction does to one lane is a function of bit patterns, from
// package fp or written here. Atomics, reductions and collectives share such functions ([UpdateFunc], [MinMaxInt],
// [BitOps]).
//
// Source: PTX ISA, "Integer Arithmetic Instructions" to "Data Movement and Conversion Instructions: cvt, mov, prmt",
// "Scalar Video Instructions", "SIMD Video Instructions".
package arith
