// Package loops finds the natural loops of control-flow graphs, and their nesting.
//
//	entry -> h ; h -> a, exit ; a -> h        a loop with header h, latch a and preheader entry
//
// The algorithm is that of Havlak, "Nesting of reducible and irreducible loops", TOPLAS 1997, for reducible graphs.
// Structured loops (ir.LoopLike) need no search; this package is for the graphs of blocks at the last level.
package loops
