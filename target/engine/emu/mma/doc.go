// Package mma has the products of matrices that are spread over the registers of a warp: mma.sync with its sparse and
// block-scaled forms, wmma, wgmma, and the moves between shared memory and fragments (ldmatrix, stmatrix, movmatrix).
//
// A product is done in three steps: operands are gathered from their fragments, or from shared memory by a
// descriptor, into row-major matrices of float64 or int64; one plain loop multiplies; the result is rounded into the
// accumulator's fragment. So the layout of each operand is one formula (fragment.go, descriptor.go), and the
// arithmetic is one function ([Multiply]) for all shapes and types, of tcgen05 too.
//
// It does not know tensor memory. The compiler has the same layouts (target/sm, linear/mma); they must not meet
// before a test compares what both make of a kernel.
//
// # What is exact
//
// Products of all formats up to tf32 are exact in binary64; their sum with the accumulator is taken there, in order of
// k, and rounded once to the type of the result. Hardware sums groups of products with fewer bits and
// truncates, in an order that is not documented and differs between architectures (Fasi et al., "Numerical behavior
// of NVIDIA tensor cores"); an emulator that imitated one of them would call kernels wrong that are right on another.
// So compare with a tolerance. Integers are exact, and f64 is a chain of fused multiply-adds.
//
// Source: PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions", "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions".
package mma
