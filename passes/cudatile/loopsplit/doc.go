// Package loopsplit splits a counting loop of Tile IR in two where a comparison of its counter changes its result, so that neither half has to
// test it.
//
//	for i in (lo to hi, step st) {            for i in (lo to min(s, hi), step st) {
//	  if i >= s { A } else { B }     becomes    B
//	  C                                         C
//	}                                         }
//	                                          for i in (max(s, lo) to hi, step st) {
//	                                            A
//	                                            C
//	                                          }
//
// A causal mask or the remainder of a tiled dimension are of this form: most iterations then run without it.
//
// # Model
//
// The comparison is one of order, of the counter with a value from outside the loop, in the loop's own signedness, and stands directly in
// the body. In each half it is a constant: an if directly in the body that tests it is replaced by one of its regions, all other uses see the
// constant. Loop-carried values go through both halves; an if whose region ends the iteration ends the copy of the body. Comparisons for equality
// change twice, and those of the other signedness may do so too: they split nothing.
//
// The point s must be one that the counter reaches, or would: with a step other than 1 it is rounded up to the next such number. None of the
// numbers on the way may wrap around. Where the bounds are constants that is checked here; else the point is first brought between the
// bounds, from where the rest cannot go wrong.
//
// Each loop is split at most once, inner loops first. Since every split copies a body, splitting ends when the kernel has grown by a factor.
//
// # Hints
//
// The attribute cuda_tile.loop_split on an if, a for or the entry replaces the option split-threshold for that if, for the ifs in that loop, or
// for all; 0 keeps what it stands on from being split.
//
// # Source
//
// The pass of that name in NVIDIA's cuda-tile repository (lib/Dialect/CudaTile/Transforms/LoopSplit.cpp): conditions, threshold and hints.
// There the point may wrap around, and a value that the loop carries counts as one from outside; here neither is so.
package loopsplit
