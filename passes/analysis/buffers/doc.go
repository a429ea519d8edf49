// Package buffers tells for each buffer value of a kernel at nv_tileas which memory it may be: which allocations, and which bytes of them.
//
// # Model
//
// A buffer is a value: it comes out of an allocation, of a view of another one (a slot, a slice, a permutation, another type), of an arith.select, or through a loop or an if. So a
// value stands for a set of places, each a range of bytes of one allocation; a slot with an index that is no constant is any of the slots. What the analysis does not
// understand may be anywhere: nothing is then said to be disjoint from it, and it keeps every allocation alive.
//
// The places of a value are a forward dataflow problem over the control flow that operations declare (ir.RegionBranch), so a new loop or role operation needs nothing here.
//
// # Accesses and lives
//
// An access is an effect on tileas.SharedMemory, as the row of the operation declares it; an operation that declares none accesses everything. An allocation lives from where
// it is made to its last access, in the order of the text and to the end of loops that come round to the access again. An asynchronous access lasts from its start to where it has
// completed on every way, whatever text stands between; see Flights.
//
// # Why not def-use chains
//
// They end at a block argument: a buffer that two iterations swap has the defining operation of neither.
package buffers
