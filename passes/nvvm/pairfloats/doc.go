// Package pairfloats is the pass nvvm-pair-floats. It computes two f32 of a thread by one instruction (f32x2).
//
//	%c0 = arith.mulf %a0, %s : f32                  %c0, %c1 = nvvm.mul.f32x2 %a0, %a1, %s, %s
//	%c1 = arith.mulf %a1, %s : f32
//
// sm_100 and its kin issue FFMA2, FADD2 and FMUL2 as fast as FFMA. ptxas forms them of PTX's f32x2 alone, so softmax,
// norms and epilogues would take twice the issue slots without this pass. For sm_120 ptxas takes each apart again, into as
// many instructions as without this pass; a driver that compiles this PTX for a later GPU may not have to.
//
// # How
//
// Two values are partners if both are computed the same way from partners, or from values that they share. This
// starts from neighbouring results of one operation (a vector load, a load from tensor memory, an MMA) and from
// neighbouring arguments of a block, whose partners serve the blocks that follow too. It is the forward form of superword-level parallelism (Larsen and Amarasinghe,
// PLDI 2000): a tile's registers are lanes already, so there is nothing to search.
//
// Operations between partners keep them together: of exp2 there is no paired form, but the product before it and the
// sum after it are paired. The second operation of two partners moves up to the first, as far as its operands allow.
// Conditions of selects, and values of one operation alone, may differ: each element of a mask has its own bias.
//
// # What it costs
//
// ptxas gives partners neighbouring registers. A value that both share (a row's maximum) needs a copy, so that it
// fills a pair by itself. That copy is not profitable for one use. So an operation with a shared operand that is no
// constant is paired only where another one shares the same value (see profitable).
package pairfloats
