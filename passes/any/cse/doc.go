// Package cse eliminates common subexpressions: an operation that computes what one that dominates it has computed already is
// replaced by it.
//
// It knows no dialect. Two operations are equal if they have the same row, operands (in any order where the row is Commutative), attributes, result
// types, and equal regions of at most one block. Which of them may be merged is decided by their effects: those that have none always;
// those that only read if they stand in one block and nothing between them writes. Operations that are dead are erased on the way, and what
// only they used with them.
//
// Values are looked up in a table that follows the dominator tree: what a block adds is forgotten when the blocks that it dominates
// are done. Where the order of operations means nothing (graph regions), an operation is merged only if none of its users was met before.
//
// # Source
//
// MLIR's -cse (mlir/lib/Transforms/CSE.cpp), after the dominator-based value numbering of Briggs, Cooper and Simpson, "Value
// Numbering" (1997).
package cse
