// Package mma has the MMAs whose operands are spread over the registers of a warp: mma.sync with its sparse and
// block-scaled forms, wmma, and wgmma. It also has the moves between shared memory and fragments (ldmatrix, stmatrix,
// movmatrix).
//
//	mma.sync.m16n8k16.f32.f16:   gather A, B, C from their fragments into row-major matrices
//	                             Multiply: one plain loop, float64 or int64
//	                             round each element into the fragment of D
//
// The layout of each operand is one formula (fragment.go, descriptor.go). The arithmetic is one function ([Multiply])
// for all shapes and types, of tcgen05 too.
//
// The package does not know tensor memory. The compiler has the same layouts (target/sm, linear/mma). They must not
// meet before a test compares what both make of a kernel.
//
// # What is exact
//
// Products of all formats up to tf32 are exact in binary64. They are added to the accumulator there, in order of K, and
// rounded once to the type of the result. Hardware adds groups of products with fewer bits and truncates, in an
// undocumented order that differs between architectures (Fasi et al., "Numerical behavior of NVIDIA tensor cores"). An
// emulator that imitated one of them would call kernels wrong that are right on another. So compare with a tolerance.
// Integers are exact, and f64 is a chain of fused multiply-adds.
//
// Source: PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions", "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions".
package mma
