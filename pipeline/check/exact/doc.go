// Package exact makes a launch one on which engines must agree bit for bit: its kernel computes with small integers, in
// floats, so that no operation rounds.
//
// # Model
//
// The pass make-exact rewrites the kernel (passes/cudatile/makeexact). Redraw fills buffers of floats with integers from
// -2 to 2, without zeros, which would hide what they are multiplied with. Integers stay, since they may be
// indices and sizes. What the interpreter leaves of that launch at level cuda_tile is what every other engine must
// leave, with tolerance 0.
//
// Sums of integers are exact as long as they fit the significand, in any order and by any instruction. So a tolerance
// need not cover the order of sums, fused operations and the errors of elementary functions, among which a dropped
// element of a long sum can hide.
package exact
