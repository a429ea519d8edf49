// Package hazards finds accesses at nv_tileas that conflict with earlier accesses of other threads, without a barrier
// in between.
//
//	local_store %a, %buf        thread 0 writes
//	%b = local_load %buf        hazard: thread 1 may read before thread 0 has written
//
// tileas-insert-barriers puts a barrier before each hazard, and the property synchronised checks that none is left.
//
// # Model
//
// Threads of a CTA see each other's accesses only after a barrier. The fact at each point is the set of accesses that
// some path has made since its last barrier, and the asynchronous accesses in flight. It is a forward dataflow problem
// over the control flow that operations declare. Control flow is uniform, so a barrier may stand anywhere.
//
// # Buffers
//
// Two accesses conflict if one of them writes and package buffers cannot prove them disjoint. Offsets assigned in
// shared memory count, so memory reused by another buffer is covered.
//
// # Global memory
//
// Only tokens order accesses of a CTA (Tile IR, memory model). An access conflicts with one that its token depends on,
// if one of them writes: other threads may hold the elements. The declared effects say which operations access memory.
//
// Package alias is not asked whether they can touch the same bytes. From -O1 on, tileaa-prune-tokens has removed the
// tokens between accesses that cannot, where more is known of them. With that question, no numeric case, corpus module
// or kernel of real size had a barrier less at -O1 or -O3. At -O0 five modules had one or two less. Also, the property
// synchronised is this analysis. It would have to trust object names on accesses, which nothing derives again at this
// level.
//
// # Asynchronous accesses
//
// A write starts an access, since other threads may still read the old data. It is another access where a wait
// completes it, since each thread waits for its own copies only. In between no barrier helps: an access that provably
// meets one in flight is reported as such. One that only may meet it (a stage with a run-time index) is left to the
// interpreter. Copies that signal an mbarrier are visible to all who wait for it, and need no barrier.
//
// Between a wait for an mbarrier and the next copy that signals it a barrier must stand. Otherwise that copy may end one
// more phase before a late warp has waited, and that warp then waits for a phase that is over. An MMA declares its signal
// as an access.
//
// An asynchronous access sees what a thread has stored only after a fence of that thread (fence_async). A barrier must
// follow the fence, if other threads may start the access. The same holds for asynchronous writes to what threads have
// written, or to memory that they have read as another buffer. An access without that fence is reported as unfenced
// (proxies.go). cp.async that arrives at an mbarrier is not followed to its completion, so its data count as fenced.
//
// An operation without declared effects conflicts with everything. One with regions but without declared control flow
// is an error.
//
// # What it does not do
//
// Each region of a warp_specialize is a path of its own. Whether two roles are ordered depends on how their barriers
// pair up at run time. The interpreter checks that.
package hazards
