// Package generate makes random kernels to try the compiler with: valid, defined, and with one right answer.
//
// # Model
//
// Kernel turns a seed into the text of a cuda_tile module with one entry, and into a launch of it. A kernel is a list
// of random statements, some with regions, over a pool of the values that are in scope. What a statement needs and the
// pool lacks is made on the spot. The same seed gives the same kernel.
//
// So that two engines can be compared bit by bit, a kernel keeps to what has one result:
//
//   - Integers wrap around. Distances of shifts are masked, divisors are not zero and no quotient overflows. Indices
//     are masked.
//   - Floats are computed by operations that round once and exactly. A NaN may have any payload, so the bits of a value
//     that may be NaN are not read.
//   - Results of elementary functions and approximate operations reach only outputs of their own, for which the kernel
//     says how far two engines may be apart. Nothing else is computed from them.
//   - What is combined in an unspecified order (reductions, MMAs, atomics) has the same result in each order: integers,
//     minima and maxima, sums of small integers.
//   - Every store has a place of its own in an output buffer for each CTA. All accesses to outputs are ordered by one
//     chain of tokens that follows the control flow. Inputs are only read. What CTAs share they change by atomics whose
//     order does not matter.
//   - Elements outside of a tensor are read with a padding value, and so are masked-off elements.
//   - Loops count to a small bound.
//
// What a kernel computes means nothing. Values are as random as the operations; the inputs hold edge values among
// ordinary ones.
//
// # Source
//
// The approach is that of Csmith (Yang, Chen, Eide, Regehr: "Finding and understanding bugs in C compilers", PLDI
// 2011): programs without undefined behaviour, whose outputs are compared between implementations.
package generate
