// Package loopsplit is the pass loop-split. It splits a loop of Tile IR where a comparison with its counter
// changes its result, so that neither of the two loops tests it.
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
// A causal mask or the remainder of a tiled dimension have this form: most iterations then run without the test.
//
// # Model
//
// The comparison is one of order, of the counter with a value from outside the loop, in the loop's own
// signedness, and directly in the body. In each of the two loops it is a constant. An if directly in the body
// that tests it is replaced by one of its regions; all other uses see the constant. Loop-carried values go
// through both loops. An if whose region ends the iteration ends the copy of the body.
//
// Comparisons for equality change twice, and those of the other signedness may too. They split nothing.
//
// The point s must be a number that the counter reaches, or would reach. With a step other than 1 it is rounded
// up to the next such number. No intermediate number may wrap around. If the bounds are constants, that is
// checked here; otherwise the point is first clamped to the bounds.
//
// Each loop is split at most once, inner loops first. Since every split copies a body, splitting ends when the kernel
// has grown by a factor.
//
// # Hints
//
// The attribute cuda_tile.loop_split on an if, a for or the entry replaces the option split-threshold: for that
// if, for the ifs in that loop, or for all. 0 keeps the operation from being split.
//
// # Source
//
// The pass of that name in NVIDIA's cuda-tile repository (lib/Dialect/CudaTile/Transforms/LoopSplit.cpp), for
// conditions, threshold and hints. There the point may wrap around, and a loop-carried value counts as one from
// outside.
package loopsplit
