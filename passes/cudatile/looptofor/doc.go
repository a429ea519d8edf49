// Package looptofor is the pass loop-to-for. It raises a loop of Tile IR that counts to a for, which passes can
// pipeline, split and version. Front ends write a while as a loop that tests at its head and breaks.
//
//	loop (%i = %a, %x = %b) {                      for %i in (%a to %n, step %s) (%x = %b) {
//	  if %i < %n {} else { break %x }       ->       body
//	  body                                           continue %y
//	  continue %i + %s, %y                         }
//	}
//
// # What counts
//
// A counter is a loop-carried value that changes by the same invariant number of known sign at every continue.
// The only break, at the head, compares it with an invariant bound. Before the test, there may be any operations
// without effects.
//
// The condition may be a conjunction, as in "while start <= i and i < end". Its other parts may be invariant, or
// comparisons with a bound that the counter moves away from. They hold in all iterations if they hold in the
// first. If they do not, the for gets an empty range.
//
// A falling counter is the complement of a rising one: i > n is ~i < ~n, for all numbers, and i - s is ~i + s.
//
// # Loops that run once
//
// A loop that always breaks in its first iteration is its body, and early breaks are ifs (once.go). So are early
// returns of a kernel. A for from %a to %a + 64 in steps of 64 is its body too, where ranges exclude a sum that wraps
// around.
//
// # Numbers that wrap around
//
// A for ends when the counter would pass the largest number. The addition in a loop wraps around, and the loop
// may continue. If ranges or a promise of the addition exclude that, the loop becomes a for. Otherwise the loop
// stays around the for:
//
//	loop (%i = %a, %x = %b) {
//	  %j, %y = for %i' in (%i to %n, step %s) (%k = %i, %x' = %x) { body; continue %i' + %s, ... }
//	  if %j < %n {} else { break %y }
//	  continue %j, %y
//	}
//
// The for runs iterations that the loop would run, in their order, at least one if the condition holds. The loop
// decides about the rest. So correctness needs no argument about numbers, and the cost is one comparison. A test
// before the loop, with the loop kept for the other case, would double the code. MLIR's upliftWhileToForLoop,
// which this pass resembles, assumes that no counter wraps.
package looptofor
