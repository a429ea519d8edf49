// Package versionloops is the pass tileaa-version-loops: it gives loops with matrix products faster versions for where facts hold that the program does not promise, and that are cheap to test once, in
// front of the loop.
//
// # What is tested
//
//   - That tiles which the loop loads lie inside their objects: along a dimension whose offset does not change, the one tile; along one whose offset grows with the counter, the first, and up to which counter
//     the others do. Then no load tests bounds in the iterations up to there, the interior; those behind it are done as the loop was, with what the interior has computed.
//   - That addresses and strides are multiples of 16 bytes, where a load has the shape for wide accesses and lacks only that.
//   - That bases and strides are, of which pointers of a load are computed, where it would be wide with them: the analysis of divisibility is asked what it would find if scalars were multiples of something (gather.go).
//   - That a comparison of what grows with the counter has one result for all elements, as a mask of columns has in all iterations but the last: up to which counter is computed like the interior (comparison.go, form.go).
//   - That sizes are multiples of 16 bytes, so that bounds do not split a wide access and the edges are wide too.
//
// Loads that are going to travel by bulk tensor copies (copies.Foresight) take no part in bounds: the machine tests each element, at no cost. What a tensor map needs and is not known, that the address and the strides are multiples of
// 16 bytes, is tested; where nothing else is, one version is for all iterations. On sm_100 that halves the instructions of matmul_i8_128x128x128 and attention_causal_bf16_d64: 935 to 556, 4,926 to 2,491.
//
// A version has what was tested as facts on its accesses, like those that tileaa-attach-facts finds; the last one is the loop as it was, for all that the others leave: all of it, or the last iterations. So a depth that is no
// multiple of the tile costs one slow iteration, and an extent that is none makes the tile blocks at its edge slower and not all of them.
//
// # The price
//
// The loop's code up to four times, and a few scalar instructions in front of it. Only innermost loops with a product are worth it, up to a size (maxOps; maxMatrix and maxCode for what the products become on the
// target); loops whose loads have all facts already are left. Loop-invariant tests of a loop inside another one leave that by licm.
package versionloops
