// Package dce erases dead code: operations without uses and without effects that matter, and unreachable blocks.
//
// It knows no dialect: what an operation does follows from its effects (ir.IsTriviallyDead). Values that only feed
// themselves around a loop are left alone; they are a matter of canonicalisation.
//
//	%a = addi %x, %x       (only %b used it: goes next)
//	%b = muli %a, %a       (unused: goes)
//	store %p, %x           (writes: stays)
//
// A loop without effects is erased too, whether or not it ends, as tileiras does at every level: a kernel can compute
// nothing in it. The interpreter, and code at -O0, run such a loop for ever (docs/conformance.md).
//
// canonicalize and cse erase what is dead on their way too. This pass is for steps that make code dead
// and are followed by neither.
//
// # Source
//
// MLIR's trivially dead operations (mlir.llvm.org/docs/Rationale/SideEffectsAndSpeculation).
package dce
