// Package simplifyintegers is the pass nvvm-simplify-integers. It folds and leaves out what ranges of integers prove
// to be one number or to do nothing, and compares in the fewest bits.
//
//	%q = divui (andi %x, 7), 32                                 0
//	%r = remsi (andi %x, 7), 32                                 andi %x, 7
//	%m = minsi (andi %x, 7), 32                                 andi %x, 7
//	%a = andi %tid, 127      (128 threads)                      %tid
//	%c = cmpi ult, (extsi %i), (extsi %n) : i64                 %c = cmpi ult, %i, %n : i32
//	%c = cmpi slt, 1, (subi 33, %i)                             %c = cmpi slt, %i, 32
//	%c = cmpi ne, (shrui (andi %t, 4), 2), 0                    %c = cmpi ne, (andi %t, 4), 0
//	cmpi sge, %row, (addi %c, 1) ; ... ; (addi %c, 4)            cmpi sge, (subi %row, %c), 1 ; ... ; 4
//	select (cmpi slt, %r, 0), (addi %r, %n), %r                 minui %r, (addi %r, %n)        %r = remsi %x, %n; 0 < %n
//
// # Why
//
// Tiles become masks and shifts of the number of a thread, which the conversion writes without looking at the size of a
// CTA. Front ends compare in 64 bits, and compute the remainders of floor divisions by hand. ptxas knows no ranges.
//
// # Promises
//
// Sums and products that provably do not wrap say so. Then two of them are equal (cse) that differ in nothing else, and
// offsets pass through extensions (nvvm-fold-offsets).
//
// # Sources
//
// Sign extension keeps the order of signed and of unsigned numbers. A remainder of a positive divisor, read as unsigned,
// is greater than the divisor exactly if it is negative, so that a minimum chooses. Bits that can be set are tracked as
// LLVM's computeKnownBits does.
package simplifyintegers
