// Package ddg builds the data dependence graph of a loop at nv_tileas: the input of a modulo scheduler.
//
//	for %i { copy_async#0 %p[%i] -> %b ; local_load#1 %b ; dot#2 }
//
//	copy_async#0: ahead, latency 800
//	  -> local_load#1: async, latency 800
//	local_load#1: compute, latency 30
//	  -> dot#2: flow, latency 30
//
// # Nodes
//
// The nodes are the operations of the body. Each has a time (package cost) and a role:
//
//	Ahead    starts an asynchronous copy or a load to registers, and depends on the loop counter only, or is a copy
//	         whose address is such a load (indices.go): it can be prefetched
//	Floating is pure and cheap: addresses, counters, views of buffers
//	Glue     only waits (commit_group, wait_group, their fences, waits of MMAs for stages): an expansion replaces it
//	Compute  is everything else
//
// # Edges
//
// An edge says that an operation must wait for another one, perhaps of an earlier iteration. The reasons are a value,
// also through loop-carried values, a token, a buffer that must have been filled, or effects that only the text
// orders. Global memory needs no edges of its own. Tile IR orders accesses by tokens alone, and tokens are values.
//
// Anti-dependences on buffers are no edges. A buffer that one copy fills and that is only read otherwise gets as many
// stages as the schedule needs. That is a lifetime (modulo.Value), bounded by shared memory.
//
// # Asynchronous MMAs
//
// An asynchronous MMA reads its operands until the wait that leaves it complete ([MMA]). One that adds to the
// accumulator of another waits for it as long as a synchronous MMA would. So a chain through iterations is a
// recurrence of the tensor cores' work alone. Any other use of an accumulator follows a wait.
//
// Waits for accumulators are operations like any other. One wait stands for all that only wait for stages
// ([Graph.Drain]). Its iteration determines how long MMAs stay in flight.
//
// # What it does not do
//
// [Build] rejects loops with inner loops, with early exits, and with loop-carried values that only change places. Its
// errors are fit for a remark. The package makes no scheduling decision.
package ddg
