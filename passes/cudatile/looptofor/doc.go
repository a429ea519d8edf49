// Package looptofor is the pass loop-to-for: it turns a loop of Tile IR that counts into a for, which passes know how to pipeline, split and version. Front ends write while as a loop that tests and leaves at its
// head.
//
//	loop (%i = %a, %x = %b) {                      for %i in (%a to %n, step %s) (%x = %b) {
//	  if %i < %n {} else { break %x }       ->       body
//	  body                                           continue %y
//	  continue %i + %s, %y                         }
//	}
//
// # What counts
//
// A loop-carried value to which every continue adds, or from which it takes, the same invariant number of known sign, and which the only break, at the head, compares with an invariant bound. In front of the test
// there may be anything without effects. The condition may be a conjunction, as of "while start <= i and i < end": a comparison with a bound that the counter leaves behind, or anything that does not change in
// the loop, holds in all iterations if it holds in the first; where it does not, the for gets an empty range. A counter that falls is the complement of one that grows: i > n is ~i < ~n, for all numbers, and
// i - s is ~i + s.
//
// # Numbers that wrap around
//
// A for ends when the counter would pass the largest number; the sum of a loop wraps around, and the loop may go on. Where ranges or a promise of the addition exclude that, the loop becomes a for. Else the loop stays
// around the for:
//
//	loop (%i = %a, %x = %b) {
//	  %j, %y = for %i' in (%i to %n, step %s) (%k = %i, %x' = %x) { body; continue %i' + %s, ... }
//	  if %j < %n {} else { break %y }
//	  continue %j, %y
//	}
//
// The for runs iterations that the loop would run, in their order, at least one when the condition holds; what is left, the loop decides as it always did. So nothing about the meaning rests on an
// argument about numbers, and the price is one comparison. Testing in front and keeping the loop for the other case would have all of its code twice. MLIR's upliftWhileToForLoop, which this pass resembles, takes
// such loops not to exist.
package looptofor
