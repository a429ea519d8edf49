// Package fusemultiplies is the pass nvvm-fuse-multiplies. It makes one instruction of a multiplication and what stands
// around it.
//
//	%w = arith.extsi %n : i32 to i64 ; %d = arith.muli %w, %c16           %d = nvvm.mul.wide %n, %c16
//	%d = arith.muli %i, %stride ; %p = nvvm.ptradd %base, %d              %p = nvvm.mad.lo %i, %stride, %base
//	%d = arith.muli %w, %c8 : i64                                         %d = arith.shli %w, %c3
//
// # Why
//
// The conversion from tiles computes addresses in 64 bits: it extends, multiplies and adds. The machine has no
// multiplication of 64 bits. ptxas makes three to four instructions of one, and one of mul.wide and an addition
// (IMAD.WIDE). A shift and an addition are two (LEA, LEA.HI.X), where a multiplication by the same number
// is three (ptxas 13.5, sm_80).
//
// There is no mad.wide, on purpose: ptxas makes of it IMAD.WIDE and two additions, or two LEA, and one IMAD.WIDE of
// mul.wide and add. What that saves is in docs/measurements/executed.md.
//
// # What is not fused
//
// A multiplication that has left a loop must not return to it, so only additions in its own block take it in. Two
// variables become mul.wide only where no inner loop computes with the product. ptxas repeats a mul.wide in a loop
// rather than keep its result (moe_gemm_bf16 on sm_80: 426 issue cycles in place of 321).
package fusemultiplies
