// Package hazards finds accesses of a kernel at nv_tileas that conflict with earlier ones of other threads without a barrier in between.
//
// # Model
//
// Threads of a tile block see each other's accesses behind a barrier only. The fact at each point is the set of accesses that some way has made since its last barrier, and of the
// asynchronous ones that are under way; it is a forward problem over the control flow that operations declare. Control flow is uniform, so a barrier may stand anywhere.
//
// Buffers: two accesses conflict when one of them writes and they may have a byte in common, by what package buffers knows of both. Places that were assigned in shared memory count, so the
// reuse of memory by another buffer is covered.
//
// Global memory: only tokens order accesses of a tile block (Tile IR, memory model). An access whose token comes from another access conflicts with that when one of
// them writes, because the elements may be held by other threads. Which operations access memory, their declared effects say.
//
// Whether the two can touch the same bytes is not asked of package alias. From -O1 on tileaa-prune-tokens has cut the order of those that cannot, where objects and offsets still tell: of all numeric cases, corpus modules
// and kernels of real size not one had a barrier less at -O1 or -O3 with that question, and at -O0 five modules had one or two less. And the check of the property synchronised is this analysis: it would
// have to believe the names of objects on accesses, which nothing derives again at this level.
//
// Asynchronous accesses: to write a destination is an access where it starts, since others may still read what was there, and again where a wait completes it, since
// each thread waits for its own copies only. In between no barrier helps; an access that surely meets one under way is reported as such. One that only may meet it (a slot with a
// run-time index) is left to the interpreter. Copies that report to an mbarrier are seen by all who wait for it, so they need no barrier.
//
// What reads buffers asynchronously sees what a thread has stored only behind a fence of that thread (fence_async), so that a barrier must stand between the fence and an access that other threads may start. So must what fills
// asynchronously what threads have written, or a place that another buffer had of which they have read. Such an access with no fence in front since then is reported as unfenced (proxies.go). Copies of threads that arrive at an mbarrier
// are not followed to their completion, so what they have written is taken for fenced.
//
// An operation that declares no effects conflicts with everything; one with regions of which it declares no control flow is an error.
//
// # Roles
//
// Each region of a warp_specialize is a way of its own. Whether what two roles do at the same time is ordered depends on how their barriers pair up when the program runs: the
// interpreter checks that, not this package.
package hazards
