// Package narrowintegers is the pass tileaa-narrow-integers. It computes in 32 bits what fits in 32 bits.
//
//	%a = extsi %x : tensor<64xi32> to i64                   %c = cmpi slt, %x, %y : tensor<64xi32>
//	%b = extsi %y : tensor<64xi32> to i64
//	%c = cmpi slt, %a, %b : tensor<64xi64>
//
// Front ends extend indices to 64 bits before they compare and add them, since an array may be that large. Then
// each comparison of a mask is two instructions, each tensor of indices takes twice the registers, and a division
// is some hundred instructions. The pass computes the same in 32 bits if both sides are extended integers, or
// ranges prove that they fit. MLIR has such a pass, arith-int-range-narrowing. This one also follows extensions
// through operations that rearrange elements, since tensors are what is expensive.
//
// # What may be narrowed
//
//   - Comparisons. Sign extension keeps the order of numbers, signed and unsigned: negative numbers are the largest
//     unsigned ones in either width.
//   - Sums, products, quotients and remainders whose result provably fits: it is the same number in either width. The
//     narrow operation promises that it does not wrap, by which later passes see an address grow evenly. Unsigned
//     operations also need numbers that are not negative.
//   - Bitwise operations, which commute with sign extension.
//
// # What is not
//
// Scalars: they are the same in all threads and few. Narrowing them here was tried, and only changed the order in
// which ptxas schedules the rest. nvvm-reduce-divisions narrows divisions, which are long. Pointers take offsets
// of 64 bits, where the extension is a part of the multiplication. Counters of loops and loop-carried values keep
// their types.
package narrowintegers
