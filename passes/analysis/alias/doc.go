// Package alias tells which accesses of memory may touch the same bytes, and which provably do.
//
//	%x = load %p[%i, 0]     %y = load %q[...]           apart: different objects
//	store %p[%i + 64, 0]                                apart from %x: 64 rows further, tiles of 64 rows
//
// It is one analysis for all that need it: passes that prune tokens, forward and remove accesses, loop-invariant code
// motion, and schedules.
//
// # Questions
//
// [Aliases.MayAlias] is about all executions of two operations by one CTA. A loop executes an operation many times
// with different offsets. So two accesses through the same value are related only while the value is unchanged.
//
// [Aliases.MayAliasIn] is about executions in the same iteration of a loop and of all loops around it. A token that
// does not come from an earlier iteration orders just those. [SameLocation] is about the same iteration of all loops
// that two operations share.
//
// # Facts
//
//   - Memory objects: package provenance derives them. An access may also name its objects (attribute objects,
//     tileaa-attach-objects), for the levels where pointers no longer show them.
//   - Places in an object: an address is a sum of multiples of values, a constant and a spread. The spread is the rest
//     of a tile, or the range that package intrange knows of a tensor.
//
// Two accesses are apart if the difference of their sums exceeds their spreads, for all values in the ranges of the
// remaining terms. Sums are exact modulo 2^64, as addresses are. Sums of narrower integers are expanded only if they
// do not wrap.
//
// # What it does not do
//
// Other state than memory (shared-memory buffers, the console) is one resource: two operations that affect it overlap.
// An operation that declares no effects, or effects without a value, may touch anything.
package alias
