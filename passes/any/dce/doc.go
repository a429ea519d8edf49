// Package dce erases dead code: operations whose results nobody uses and that do nothing else of note, and blocks that control
// cannot reach.
//
// It knows no dialect: what an operation does is told by its effects (ir.IsTriviallyDead). Values that only feed
// themselves around a loop are left alone; they are a matter of canonicalisation.
//
//	%a = addi %x, %x       (only %b used it: goes next)
//	%b = muli %a, %a       (unused: goes)
//	store %p, %x           (writes: stays)
//
// canonicalize and cse erase what is dead on their way too. A pass of its own is for steps that make code dead
// and are followed by neither.
// # Source
//
// MLIR's trivially dead operations (mlir.llvm.org/docs/Rationale/SideEffectsAndSpeculation).
package dce
