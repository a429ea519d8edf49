// Package canonicalize brings IR into canonical form, so that other passes meet one form of each thing and not many.
//
// It knows no dialect: what is canonical is said by the rows of operations, through their folders and the patterns of
// rewrite.Canonicalizers, and by the driver of package ir/rewrite, which merges constants and erases dead operations.
// Canonicalising once more changes nothing, unless a limit was hit.
//
// # Source
//
// MLIR's -canonicalize (mlir.llvm.org/docs/Canonicalization).
package canonicalize
