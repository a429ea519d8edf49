// Package loops finds the natural loops of control-flow graphs, and how they lie in each other (Havlak, "Nesting of reducible and irreducible loops", TOPLAS 1997, for the reducible case).
//
// Structured loops say themselves what they are (ir.LoopLike); this is for graphs of blocks, which the last level has.
package loops
