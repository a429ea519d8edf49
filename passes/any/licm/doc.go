// Package licm moves operations that compute the same in every iteration of a loop in front of it.
//
// # Model
//
// A loop is an operation with the capability ir.LoopLike (the for and loop of a tile level), or, in a region of several blocks, a natural
// loop of the control-flow graph: the blocks from which control gets back to a header that dominates them, without leaving through it. Loops
// are taken from the innermost outwards, so that one run moves an operation as far as it can go. What is considered are the operations that
// every full iteration executes; those in an if are left, since the program may never pay for them.
//
// An operation moves if everything that it uses is defined outside the loop and one of these holds:
//
//   - It has no effects and is speculatable, so that it does no harm in front of a loop that runs zero times.
//   - It has no effects, and the loop surely executes it: the loop surely runs (its constant bounds say so, or it tests nothing before
//     its body), and no operation before it in the first block may leave the loop, trap, or go on for ever. So a division by an unknown number
//     stays in a loop that may be empty.
//   - It only reads, the loop surely executes it, and neither something in the loop nor, as far as the operation tells, another thread may
//     write what it reads (package alias tells, of all iterations). A token is a value like any other: a load behind a token of the iteration is not invariant.
//
// Control-flow graphs need a block in front of the header, which is entered by nothing else; loops without one are left.
//
// Where a value is a register, a limit on the values that a loop keeps alive (max-live) stops what would need more of them: an operation then
// moves only if the ones that it alone used make up for its results.
//
// Operations keep their locations. Nothing here names a dialect.
//
// For example, with a loop that may run zero times,
//
//	for %i in (%a to %b) {               %k = muli %x, %y          no effects, never traps: moves
//	  %k = muli %x, %y                   for %i in (%a to %b) {
//	  %q = divi %x, %y                     %q = divi %x, %y        traps for 0: stays, since the loop may not run
//	  %v, %t = load %p token = %t0         %v, %t = load ...       stays likewise
//	  if %c { %z = addi %x, %y }           if %c { ... }           not in every iteration: stays
//	}                                    }
//
// # Source
//
// MLIR's loop-invariant code motion (mlir.llvm.org/docs/Passes/#-loop-invariant-code-motion) and its rules for speculation
// (mlir.llvm.org/docs/Rationale/SideEffectsAndSpeculation); the nesting of natural loops is found as in Havlak, "Nesting of reducible
// and irreducible loops" (TOPLAS 1997), restricted to reducible ones.
package licm
