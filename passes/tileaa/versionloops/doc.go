// Package versionloops is the pass tileaa-version-loops. It gives loops with MMAs faster versions for facts that
// the program does not promise, and that are cheap to test once, before the loop.
//
//	for %k in 0 to %n: load %a[.., 64 * %k]          if inside: for %k in 0 to %end: load without bounds
//	                   load %b[64 * %k, ..]          for %k in %start to %n: the original loop
//
// # What is tested
//
//   - Tiles that the loop loads are inside their objects. If the offset along a dimension is invariant, one tile
//     is tested. If it grows with the counter, the first tile is tested, and a formula gives the counter up to
//     which the others are inside. Up to there, the interior, loads test no bounds. The original loop runs the
//     iterations after it.
//   - Addresses and strides are multiples of 16 bytes, or strides of a narrower row, as of a complex number. This is
//     tested if a load has the shape for wide accesses and lacks only that.
//   - Bases and strides from which the pointers of a load are computed are multiples too, if the load would then
//     be wide. The analysis of divisibility is asked what it would find if certain scalars were multiples of
//     something (gather.go).
//   - A comparison with the counter has one result for all elements, as a mask of columns has in all iterations
//     but the last. The counter up to which that holds is computed like the interior (comparison.go, form.go).
//   - Sizes are multiples of 16 bytes, so that bounds do not split a wide access and the edges are wide too.
//
// Loads that will be TMA loads (transfers.TMAForecast) need no test of bounds: the hardware tests each element,
// at no cost. Tested instead is what a tensor map needs: the address and the strides are multiples of 16 bytes.
// If nothing else is tested, one version serves all iterations. On sm_100 that halves the instructions of
// matmul_i8_128x128x128 and attention_causal_bf16_d64: 935 to 556, and 4,926 to 2,491.
//
// A version's accesses have the tested facts as attributes, like those that tileaa-attach-facts finds. The last
// version is the original loop. It runs the iterations that the others leave: all of them, or the last ones. So a
// K that is not a multiple of the tile costs one slow iteration. An M or N that is not a multiple makes only the
// CTAs at its edge slower.
//
// # Cost
//
// The loop's code grows up to four times, and a few scalar instructions run before it. Only innermost loops with
// an MMA are worth it, up to a size (maxOps; maxMatrix and maxCode for the matrix instructions that MMAs become).
// Loops whose loads have all facts already are left. licm moves loop-invariant tests out of an outer loop.
package versionloops
