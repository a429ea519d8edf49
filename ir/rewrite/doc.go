// Package rewrite changes IR by patterns: small named rewrites, each rooted at one kind of operation, that a greedy
// driver applies until none applies any more. The driver also folds (OpDef.Fold), puts one constant for each value at
// the start of the region where constants live, and erases what is trivially dead. It knows no dialect: patterns come
// with the rows of a dialect (Canonicalizers) or from a pass.
//
// A pattern changes IR only through its Rewriter, so that the driver knows what to look at again. It returns false
// only if it has changed nothing.
//
// It is for rewrites that may or may not happen, in any order. What must happen is the business of ir/conversion,
// from level to level, or of a pass of its own.
//
// # Source
//
// The model is MLIR's greedy pattern rewrite driver and its operation folder (mlir.llvm.org/docs/PatternRewriter).
package rewrite
