// Package buffers tells which memory each buffer value at nv_tileas may be: which allocations, and which bytes of
// them.
//
//	%b = alloc_shared : 3 stages of 16 KiB     bytes 0 to 49152 of %b
//	%s = buffer_stage %b, 1                    bytes 16384 to 32768 of %b
//	%t = select %c, %s, %x                     either of two places
//
// # Places
//
// Buffers are values. An allocation defines one, and so do a view of another one (a stage, a slice, a permutation,
// another type), an arith.select, a loop or an if. So a value stands for a set of places, each a range of bytes of one
// allocation. A stage with an unknown index may be any of the stages.
//
// A value that the analysis does not understand may be anywhere. Nothing is then disjoint from it, and it keeps every
// allocation alive.
//
// Places are a forward dataflow problem over the control flow that operations declare (ir.RegionBranch). So a new loop
// or role operation needs nothing here.
//
// # Accesses and lifetimes
//
// An access is an effect on tileas.SharedMemory, as the operation declares it. An operation without declared effects
// accesses everything. An allocation lives to its last access in the order of the text, and to the end of loops that
// come back to that access. An asynchronous access lasts from its start to where it is complete on every path; see
// InFlight.
//
// # Why not def-use chains
//
// They end at a block argument: a buffer that two iterations swap has two defining operations.
package buffers
