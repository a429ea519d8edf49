// Package lowerpipes is the pass tileas-lower-pipes: pipes between roles become mbarriers, and the positions of roles in
// them become values.
//
//	role "load":     for { %x, %full = pipe_acquire %p ; tma_load %x, ..., %full ; pipe_commit %p }
//	role "compute":  for { %x = pipe_wait %p ; dot_async %x ; dot_wait ; pipe_release %p }
//
// becomes
//
//	role "load":     for (%i, %phase) { mbarrier_wait %empty[%i], %phase ; mbarrier_expect %full[%i] ; tma_load %x[%i], ..., %full[%i] ; next }
//	role "compute":  for (%i, %phase) { mbarrier_wait %full[%i], %phase ; dot_async %x[%i] ; dot_wait ; mbarrier_arrive %empty[%i] ; next }
//
// # Mbarriers
//
// A stage has an mbarrier `full`, and `empty` if the pipe is filled more than once. A phase of either takes one arrival
// from each warp of threads, or one from an asynchronous end. That is the thread which announces the bytes of TMA
// loads, or the commit of MMAs. Each thread whose copies (cp.async) fill a stage makes an arrival when they have landed.
//
// A pipe of two CTAs has its mbarriers in both. MMAs signal those of both CTAs. Everything else is counted by the even
// CTA, whose MMAs wait for it: the bytes of the TMA loads of both, and the arrivals of the threads of both. The CTAs meet
// before the roles and after them.
//
// Where CTAs wait for each other in a role (cluster_sync), its warps in all CTAs meet at two more mbarriers,
// in turn. With one, a warp that goes on could arrive where another CTA still counts for the phase before.
//
// # Positions
//
// Each role keeps the index of its stage and the parity of the phase that it waits for there. Both are carried by the
// loops and ifs in which the role uses the pipe. The parity flips when the index wraps around. A role that fills begins
// with the parity before the first phase, for which all waits pass: all stages are free. Pipes that advance together
// share one position.
//
// A stage that comes back (threads <-> mma) may be acquired and not committed. The next acquire waits for the same phase,
// which is over.
//
// # Releases that lag
//
// If releases lag by n stages, arrival m is for stage m - n, and the first n arrivals are for stages that nothing
// has filled. (Leaving them out would need a test in the loop.) So the role that fills waits for arrivals n stages
// ahead of its stage, and finds that many fewer stages free in the first round.
package lowerpipes
