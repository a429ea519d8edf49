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
// A loop in which nothing has an effect goes as well, whether or not it ends: tileiras does so at every level, and there is nothing that a kernel could
// have computed in it. The interpreter, and code at -O0, run such a loop for ever (docs/conformance.md).
//
// canonicalize and cse erase what is dead on their way too. A pass of its own is for steps that make code dead
// and are followed by neither.
// # Source
//
// MLIR's trivially dead operations (mlir.llvm.org/docs/Rationale/SideEffectsAndSpeculation).
package dce
