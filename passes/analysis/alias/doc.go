// Package alias tells which accesses of memory may touch the same bytes, and which surely do. It is one analysis for all that ask: passes that prune tokens, forward
// and remove accesses, loop-invariant code motion, barriers, schedules.
//
// # Two questions
//
// [Analysis.MayAlias] is about all executions of two operations by one tile block. A loop executes an operation many times with other offsets, so what is known
// only because two accesses use the same value counts only while that value stays the same: [Analysis.MayAliasIn] is about executions in the same iteration of a
// loop and of all loops around it, which is what a token has that does not come from an earlier iteration. [Analysis.SameLocation] is about the same iteration of all loops
// that the two operations share.
//
// # Facts
//
//   - Memory objects: those that package provenance derives, and of these the ones that the access itself names (attribute objects, tileaa-attach-objects), so that
//     what was known at level nv_tileaa survives when the pointers no longer tell.
//   - Places inside an object: an address is taken apart into a sum of multiples of values, a constant and a spread (the rest of a tile, or what
//     intrange knows of a tensor). Two accesses are apart when the difference of their sums, bounded by the ranges of the values that are left, exceeds
//     their spreads. The sums are exact modulo 2^64, as addresses are; sums of narrower integers are taken apart only where they do not wrap.
//
// Of other state than memory (shared-memory buffers, the console) nothing is told apart: two operations that affect the same are said to overlap.
//
// An operation that declares no effects, or effects on memory without saying through which value, may touch anything.
package alias
