// Package foldoffsets is the pass nvvm-fold-offsets. It moves the constant parts of addresses into the accesses.
//
//	%b = arith.addi %a, 128 ; %w = extsi %b                               %w = extsi %a
//	%o = muli %w, 4 ; %p = ptradd %base, %o ; ld %p                       %o = muli %w, 4 ; %p = ptradd %base, %o ; ld %p + 512
//
// # Why
//
// Each register of a tile of pointers has an address of its own: an extension, a multiplication and an addition of 64
// bits. Elements of a thread mostly differ by constants, which an access adds for free (PTX ISA, addresses as operands).
// Without them the addresses are equal, and cse keeps one. Accesses through views share addresses from the beginning
// (tileastonvvm/access).
//
// # When
//
// An extension commutes with an addition that does not wrap: by its promise, or because the range of the other operand
// leaves room. All else holds modulo 2^64. LLVM's SeparateConstOffsetFromGEP does the same.
package foldoffsets
