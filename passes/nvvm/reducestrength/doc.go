// Package reducestrength is the pass nvvm-reduce-strength. It replaces the computation of addresses in a loop by
// an addition that is carried from iteration to iteration.
//
//	loop:  %i64 = extsi %i ; %o = muli %i64, %stride            loop:  %p carried, from the first address on
//	       %p = ptradd %base, %o ; ld %p                               ld %p
//	       %i = addi %i, 1                                             %p = ptradd %p, %stride ; %i = addi %i, 1
//
// # Addresses
//
// The address of a tile grows by the same number of bytes in each iteration. The conversion from tiles computes
// it with multiplications of 64 bits: the offset of the view times its stride, and so on. Here it becomes an
// argument of the loop's header. It starts at the first iteration's address and is stepped at the end of the
// iteration. For an MMA of 128x128x64 in f16 that is one addition for each operand instead of eleven instructions
// (ptxas 13.5, sm_80).
//
// The other addresses of a tile are at loop-invariant distances. ptxas rematerializes these in each iteration,
// since they are cheap. The pass makes the loop carry them too, as long as registers are left by an estimate of
// the pressure in the loop (pressure.go).
//
// # Stages of circular buffers
//
// The stage of a circular buffer is a counter that wraps to 0. If all uses multiply it by the size of a stage,
// the counter counts in bytes instead. Then `ptxas` keeps it in a uniform register, which accesses to shared
// memory add for free. A multiplication would go into the address of each access, in a register for each (ptxas
// 13.5, sm_120).
//
// # Conditions
//
// A bound that does not depend on the iteration goes into the limit of one that does (limits.go). It takes no predicate
// in the loop then.
//
// # Why here
//
// Levels above do not show what a thread adds to an address. The literature calls this strength reduction of
// induction variables (Cocke and Kennedy 1977; Cooper, Simpson and Vick, "Operator strength reduction", TOPLAS
// 2001). Unlike there, linear functions are found in one walk over the loop, for innermost loops with one latch.
package reducestrength
