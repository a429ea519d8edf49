// Package cse eliminates common subexpressions: it replaces an operation by an equal one that dominates it.
//
// It knows no dialect. Two operations are equal if they have the same row, operands (in any order where the row is
// Commutative), attributes, result types, and equal regions of at most one block. Which of them may be merged is
// decided by their effects: those that have none always; those that only read if they are in one block and nothing
// between them writes. Operations that are dead are erased on the way, and what only they used with them.
//
// Values are looked up in a table that follows the dominator tree: what a block adds is forgotten when the blocks
// that it dominates are done. Where the order of operations means nothing (graph regions), an operation is merged
// only if none of its users was met before.
//
// For example, in one block,
//
//	%a = addi %x, %y         %a = addi %x, %y
//	%b = load %p, %t0        %b = load %p, %t0
//	%c = addi %y, %x         (is %a: commutative)
//	%d = load %p, %t0        (is %b: the same token, nothing written between)
//	%e = load %p, %t1        %e = load %p, %t1
//
// The first occurrence of an operation is its value number: values are compared by identity once what they are computed
// from has been replaced. Definitions come before uses, so it has been.
//
// Expressions are not taken to a common dominator when neither occurrence dominates the other: that would make
// code run that neither path asked for (partial redundancy), and registers live longer.
//
// # Source
//
// MLIR's -cse (mlir/lib/Transforms/CSE.cpp), after the dominator-based value numbering of Briggs, Cooper and Simpson,
// "Value Numbering" (1997).
package cse
