// Package unrollloops is the pass nvvm-unroll-loops: small innermost loops without matrix products, which run so often as constants say, become straight code.
//
// ptxas (13.5) does not unroll them. It unrolls a loop of a few instructions and a plain load by four, but none that has a load under a predicate, and nearly all of ours have bounds to test: a loop over a row of 1024
// elements, two turns of 512, stays one. Unrolled, the tests of the bounds fold for each turn, addresses become offsets in the accesses, and the loads of all turns may start at once.
//
// # What is not unrolled
//
//   - Loops that run an unknown number of times, by a factor. A loop of loads is bound by memory: rms_norm_f16 (sm_80) issues 34 instructions for 512 bytes a warp, where an SM of an A100 gets 10 bytes a cycle and issues 4
//     instructions, so that it may issue 200. How many loads are in flight is the matter of tileas-schedule-loops.
//   - Loops with matrix products, or with copies to shared memory: they are scheduled as they are, and have one or two instructions a turn for the loop itself (the test and the branch) and one to four for rings.
//   - Loops whose code would exceed a budget: what a tile takes must not grow with it.
//
// # Why here
//
// Behind the conversion from tiles, since loops over parts of large tiles and pipelined ones are known only then, and in front of all that folds and hoists.
package unrollloops
