// Package dce erases dead code: operations whose results nobody uses and that do nothing else of note, and blocks that control
// cannot reach.
//
// It knows no dialect: what an operation does is told by its effects (ir.IsTriviallyDead). Values that only feed
// themselves around a loop are left alone; they are a matter of canonicalisation.
//
// # Source
//
// MLIR's trivially dead operations (mlir.llvm.org/docs/Rationale/SideEffectsAndSpeculation).
package dce
