// Package generate makes random kernels to try the compiler with: valid, defined, and with one right answer.
//
// # Model
//
// Kernel turns a seed into the text of a cuda_tile module with one entry, and into a launch of it. A kernel is a list of random statements, some
// with regions, over a pool of the values that are in scope; what a statement needs and the pool lacks is made on the spot. The same seed
// gives the same kernel.
//
// So that two engines can be compared bit by bit, a kernel keeps to what has one result:
//
//   - integers wrap around; distances of shifts are masked, divisors are not zero and no quotient overflows; indices are masked;
//   - floats are computed by operations that round once and exactly; a NaN may have any payload, so the bits of a value that may be NaN
//     are not looked at;
//   - what elementary functions and approximate operations give reaches only outputs of their own, for which the kernel says how far two engines
//     may be apart; nothing else is computed from it;
//   - what is combined in an unspecified order (reductions, matrix products, atomics) has the same result in each: integers, minima
//     and maxima, sums of small integers;
//   - every store has a place of its own in an output buffer for each tile block, and all that is done to outputs is ordered by one chain of
//     tokens that follows the control flow; inputs are only read; what tile blocks share they change by atomics whose order does not matter;
//   - what lies outside of a tensor is read with a padding value, and masked-off elements with one too;
//   - loops count to a small bound.
//
// What a kernel computes means nothing. Values are as random as the operations; the inputs hold edge values among ordinary ones.
//
// # Source
//
// The approach is that of Csmith (Yang, Chen, Eide, Regehr: "Finding and understanding bugs in C compilers", PLDI 2011): programs without
// undefined behaviour, whose outputs are compared between implementations.
package generate
