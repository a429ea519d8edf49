// Package machine is the hardware that the emulator imitates: threads in warps, CTAs in clusters, a grid in execution,
// the memories, and what threads wait at.
//
//	Run: workers take clusters from the grid            schedule.go
//	cluster: warps run 1024 instructions each in turn   cluster.go
//	warp: the current leaf of its split tree            split.go, warp.go
//	leaf: Inst.Exec of one instruction                  a closure from another package
//
// It does not know a single instruction. A [Program] is a list of [Inst], each a function that changes a [Warp], which
// the packages that decode instructions make. The machine has what several instructions share, and what outlives one:
//
//   - warps and their split trees (split.go), the order of warps (cluster.go) and of clusters (schedule.go)
//   - global memory and its allocations (memory.go), addresses of all spaces and their checks (address.go, space.go)
//   - barriers of CTAs and clusters, mbarriers, member masks
//   - operations in flight: of the cluster (async.go), of one thread (copies.go), and deferred writes of registers
//     (deferred.go)
//   - what was written through the generic proxy (proxy.go)
//   - the adversary, which chooses wherever the ISA leaves a choice (adversary.go)
//
// Hardware that only one family of instructions uses is not here. It is a [Unit] of the CTA, as the tensor core of
// tcgen05 with its memory, or the Scratch of a warp.
//
// # Time
//
// There is no clock. A warp runs up to a fixed number of instructions, then the next one does. A cluster runs a
// quantum, then another one does. So a run with one worker is deterministic, waiting costs scheduling rounds, and a
// deadlock is a state in which nobody can move, found at once. A test could not rely on a model of time.
package machine
