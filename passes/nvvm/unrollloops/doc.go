// Package unrollloops is the pass nvvm-unroll-loops. It unrolls small innermost loops without MMAs that have a
// constant trip count.
//
//	^head(%i): %more = cmpi slt, %i, 2 ; cond_br ^body, ^end        body with %i = 0 ; body with %i = 1
//
// ptxas (13.5) does not unroll them. It unrolls a loop of a few instructions and a plain load by four, but no
// loop with a load under a predicate. Nearly all of ours test bounds: a loop over a row of 1024 elements, two
// iterations of 512, stays one. After unrolling, the tests of the bounds fold for each iteration, addresses
// become offsets in the accesses, and the loads of all iterations may start at once.
//
// # What is not unrolled
//
//   - Loops of unknown trip count, by a factor. A loop of loads is bound by memory: rms_norm_f16 (sm_80) issues
//     34 instructions for 512 bytes a warp. An SM of an A100 gets 10 bytes a cycle and issues 4 instructions, so
//     it could issue 200. tileas-schedule-loops decides how many loads are in flight.
//   - Loops with MMAs, or with copies to shared memory. They are scheduled, and an iteration has only one or two
//     instructions for the loop (test and branch) and one to four for circular buffers.
//   - Loops whose code would exceed a budget: compile time must not depend on the trip count.
//
// # Why here
//
// The pass comes after the conversion from tiles, since only then loops over parts of large tiles and pipelined
// loops exist. It comes before the passes that fold and hoist.
package unrollloops
