// Package memory is the global memory of a launch: buffers, globals and allocations, at made-up addresses.
//
//	0x7f0000000000  argument 0      4096 bytes
//	0x7f0000101000  argument 1      after a gap of 1 MiB: running off argument 0 does not reach it
//	0x200000000000  alloca, global  a part of the address space for each CTA
//
// A [Reach] is what one CTA can access. A [Window] is the part of a tensor that a tile covers; it visits the elements
// row by row.
package memory
