// Package canonicalize brings IR into canonical form, so that other passes meet one form of each thing.
//
//	%b = addi %x, 0 ; store %p, %b        store %p, %x
//
// It knows no dialect. The rows of operations say what is canonical, by their folders and the patterns of
// rewrite.Canonicalizers. The driver of package ir/rewrite merges constants and erases dead operations. Canonicalising
// again changes nothing, unless a limit was hit.
//
// # Source
//
// MLIR's -canonicalize (mlir.llvm.org/docs/Canonicalization).
package canonicalize
