// Package narrowintegers is the pass tileaa-narrow-integers: it computes in 32 bits what is an integer of 64 bits only by its type.
//
// Producers extend indices to 64 bits before they compare and add them, since an array may be that large: each comparison of a mask is then two instructions, each tensor of indices takes twice the registers, and a division is
// some hundred instructions. Where both sides are extended numbers, or ranges prove that they fit, the same is computed in 32 bits. MLIR has the pass as arith-int-range-narrowing; this one also follows extensions through
// what moves elements about, since it is tensors that are expensive.
//
// # What may be narrowed
//
//   - Comparisons. Sign extension keeps the order of numbers, read with a sign or without one: negative numbers are the largest ones without a sign in either width.
//   - Sums, products, quotients and remainders, where the result surely fits: it is then the same number in either width, and the narrow operation says that it does not wrap, which is what lets later passes see an address
//     grow evenly. Operations without a sign need numbers that are not negative, too.
//   - Bitwise operations, which sign extension goes through.
//
// # What is not
//
// Scalars: they are the same in all threads and few. Narrowing them here was tried, and changed nothing but the order in which ptxas puts the rest; divisions, which are long, nvvm-legalize-arith narrows. Pointers take offsets of 64 bits: the extension is a part of the multiplication there. Counters of loops and what loops carry keep their types.
package narrowintegers
