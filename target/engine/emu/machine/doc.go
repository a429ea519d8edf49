// Package machine is the hardware that the emulator imitates: threads in warps, CTAs in clusters, a grid in execution,
// the memories, and what threads wait at.
//
// It does not know a single instruction. A [Program] is a list of [Inst], each a function that changes a [Warp]; the
// packages that decode instructions make them. The machine has what several instructions share and what outlives one:
//
//   - warps and their split trees (split.go), the turns of warps (cluster.go) and of clusters (schedule.go),
//   - global memory and its allocations (memory.go), addresses of all spaces and their checks (address.go, space.go),
//   - barriers of CTAs and clusters, mbarriers, member masks,
//   - operations in flight: of the cluster (async.go), of one thread (copies.go), and writes of registers that are
//     owed (deferred.go),
//   - what was written through the generic proxy (proxy.go),
//   - the adversary, who chooses wherever the ISA leaves a choice (adversary.go).
//
// Hardware that only one family of instructions uses is not here: it is a [Unit] of the CTA (the tensor core of
// tcgen05 with its memory), or the Scratch of a warp.
//
// # Time
//
// There is none. A warp runs up to a fixed number of instructions, then the next one does; a cluster runs a quantum,
// then another one does. So a run with one worker is deterministic, waiting costs turns, and a deadlock is a state in
// which nobody can move, which is found at once instead of by a clock. What a model of time would add, a test cannot
// rely on.
package machine
