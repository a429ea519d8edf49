// Package shareterms is the pass nvvm-share-terms. It groups the terms of addresses, of conjunctions and of sums of
// 32 bits so that they have parts in common, which are computed once.
//
//	%a = ptradd %p, %row0 ; %x = ptradd %a, %column         %c = ptradd %p, %column
//	%b = ptradd %p, %row1 ; %y = ptradd %b, %column         %x = ptradd %c, %row0 ; %y = ptradd %c, %row1
//
//	%m = andi (andi %in0, %inside), %owner                  %o = andi %inside, %owner
//	%n = andi (andi %in1, %inside), %owner                  %m = andi %o, %in0 ; %n = andi %o, %in1
//
//	%s = addi %x, %y ; %a = addi %x, 48                     %s = addi %x, %y
//	%t = addi %a, %y                                        %t = addi %s, 48
//
// # Why
//
// The conversion writes an address dimension by dimension, and a mask likewise, with the condition that this thread
// stores last. Stores to several rows differ in the first dimension, so that cse finds nothing equal.
//
// # How
//
// Sums that are used once are taken apart into their terms. The pair of terms that most sums of the function have in
// common becomes one term, until no two sums share a pair. LLVM's Reassociate counts pairs likewise. Sums of addresses
// wrap alike in any order, and conjunctions have no order.
//
// # What is not shared
//
// A sum across a loop's boundary is not taken apart: what was computed before the loop stays there. Sums of integers
// that promise not to wrap are not, since their order says where. Of the others only what is computed anyway is shared:
// three numbers are added by one instruction (IADD3).
package shareterms
