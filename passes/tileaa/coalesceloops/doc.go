// Package coalesceloops is the pass tileaa-coalesce-loops. It makes one loop of two loops around an MMA, one directly in
// the other.
//
// # Example
//
// A gradient of attention is a sum over the query heads of a group, and over the rows of each:
//
//	%r = for %h = 0 to 4 iter_args(%acc = %zero) {           %n = trip count of the inner loop
//	  %head = addi %first, %h                                %r = for %t = 0 to 4 * %n iter_args(%acc = %zero) {
//	  %s = for %m = %lo to %hi iter_args(%a = %acc) {          %h = divui %t, %n
//	    %q = load %head, %m                              ->    %head = addi %first, %h
//	    %d = dot %p, %q, %a                                    %m = addi %lo, (remui %t, %n)
//	    continue %d                                            %q = load %head, %m
//	  }                                                        %d = dot %p, %q, %acc
//	  continue %s                                              continue %d
//	}                                                        }
//
// # Why
//
// A pipeline fills once instead of once for each iteration of the outer loop, and accumulators stay where MMAs keep
// them. Passes after this one plan innermost loops.
//
// # When
//
// The outer loop computes only scalars and the inner loop, which carries what the outer one carries. The bounds of the
// inner loop are the same in all iterations of the outer one. Their iterations together are a number of the counter's type.
//
// A division by a number that a loop does not change takes about four instructions (nvvm-reduce-divisions). They are for
// each iteration, beside an MMA.
//
// # Source
//
// Loop coalescing: Polychronopoulos, "Loop Coalescing: A Compiler Transformation for Parallel Machines", ICPP 1987.
package coalesceloops
