// Package versionloops is the pass tileaa-version-loops: it gives loops with matrix products a second, faster version for where facts hold that the program does not promise, and that are cheap to test once, in
// front of the loop.
//
// # What is tested
//
//   - That all tiles which the loop loads lie inside their objects: along a dimension whose offset does not change, the one tile; along one whose offset grows with the counter, the first and the last.
//     Then no load of the loop tests bounds.
//   - That addresses and strides are multiples of 16 bytes, where a load has the shape for wide accesses and lacks only that.
//
// The fast version has what was tested as facts on its accesses, like those that tileaa-attach-facts finds; the other one is the loop as it was. A tile block runs one of them. So the blocks
// at the edges of a product whose extents are no multiples of the tile are slower, and not all of them.
//
// # The price
//
// The loop's code twice, and a few scalar instructions in front of it. Only innermost loops with a product are worth it, up to a size (maxOps, and maxMatrix for what the products become on the target); loops whose loads have all facts already are left.
package versionloops
