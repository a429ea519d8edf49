// Package sink is the pass nvvm-sink: it moves operations down to where their results are used.
//
// # Why
//
// The conversion from tiles computes what a thread contributes to addresses once, in front of everything, so that equal things are one value. A value that only the end of a kernel uses then keeps its
// register throughout a loop, and one that only one of two versions of a loop uses keeps it in the other one. ptxas schedules within basic blocks and spills such values; it does not move
// them: batch_matmul_f16_128x128x64 for sm_120 spilled 42 instructions before this pass.
//
// # What moves
//
// A pure operation goes to the last block that dominates all of its uses and lies in no more loops than its own, in front of its first use there. It moves only when the values that must live longer
// for it take no more bits than its result: those that nobody else needs further down and that cannot move themselves.
package sink
