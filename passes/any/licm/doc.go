// Package licm moves loop-invariant operations out of loops.
//
// # Model
//
// A loop is an operation with the capability ir.LoopLike (the for and loop of a tile level), or, in a region of
// several blocks, a natural loop of the control-flow graph: the blocks from which control gets back to a header that
// dominates them, without leaving through it. Loops are processed from the innermost outwards, so that one run moves an
// operation as far as it can go. Operations in an if of a tile level are left, since the program may never execute them.
// Out of a control-flow graph's innermost loops they move if that does no harm, after those that every full iteration
// executes. Conditions are left, since predicate registers are few (7).
//
// An operation moves if everything that it uses is defined outside the loop and one of these holds:
//
//   - It has no effects and is speculatable, so it does no harm before a loop that runs zero times.
//   - It has no effects, and the loop provably executes it: the loop provably runs (its constant bounds say so, or it
//     tests nothing before its body), and no operation before it in the first block may leave the loop, trap, or go
//     on for ever. So a division by an unknown number stays in a loop that may be empty.
//   - It only reads, the loop provably executes it, and neither something in the loop nor, as far as the operation
//     says, another thread may write what it reads (package alias knows, of all iterations). A token is a value like
//     any other: a load after a token of the iteration is not invariant.
//
// Control-flow graphs need a preheader; loops without one are left.
//
// Where values are registers, max-live limits how many of them a loop keeps alive: above it, an operation moves only if
// the values that it alone used make up for its results.
//
// Operations keep their locations. Nothing here names a dialect.
//
// For example, with a loop that may run zero times,
//
//	for %i in (%a to %b) {               %k = muli %x, %y          no effects, never traps: moves
//	  %k = muli %x, %y                   for %i in (%a to %b) {
//	  %q = divi %x, %y                     %q = divi %x, %y        traps for 0: stays, since the loop may not run
//	  %v, %t = load %p token = %t0         %v, %t = load ...       stays likewise
//	  if %c { %z = addi %x, %y }           if %c { ... }           not in every iteration: stays at a tile level
//	}                                    }
//
// # Source
//
// MLIR's loop-invariant code motion (mlir.llvm.org/docs/Passes/#-loop-invariant-code-motion) and its rules for
// speculation (mlir.llvm.org/docs/Rationale/SideEffectsAndSpeculation); the nesting of natural loops is found as in
// Havlak, "Nesting of reducible and irreducible loops" (TOPLAS 1997), restricted to reducible ones.
package licm
