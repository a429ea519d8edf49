// Package specializewarps is the pass tileas-specialize-warps: it splits a kernel whose MMAs are fed by TMA, or by copies
// of threads, into producer and consumer warps.
//
//	for { tma_load A, B ; wait ; dot_async A, B, S ; dot_wait }
//
// becomes
//
//	%p = pipe_create (alloc_shared : S stages)
//	warp_specialize {
//	  role "compute" warps(W) { for { %a = pipe_wait %p ; dot_async %a ; dot_wait {pending = 1} ; pipe_release %p lag 1 } }
//	  role "load" warps(1)    { for { %a = pipe_acquire %p ; tma_load %a ; pipe_commit %p } }
//	}
//
// This is the scheme of CUTLASS's warp-specialized kernels (PipelineTmaAsync). The role "compute" is the program
// without its loads, and the role "load" has its loops with the loads and their coordinates only.
//
// TMA loads that are waited for together fill the stages of a pipe. The producer acquires a stage and starts the loads.
// The consumer waits for the stage, reads it, and releases it. tileas-lower-pipes gives stages their mbarriers.
//
// So the consumer loop has no loads and no CTA barrier, and the producer runs up to S stages before the consumer.
// A pipe goes on when the loop runs again inside another one. In a persistent kernel, the next tile is loaded during
// the epilogue of this one.
//
// # The MMA warp
//
// For tcgen05 a third role of one warp issues the MMAs, if threads use an accumulator only when it is finished
// (chains.go, mmawarp.go), or change it before each MMA (handback.go). The MMA warp waits for stages, and the MMAs that read them release them. Accumulators are
// stages of a pipe in TMEM: MMAs fill them, and threads release one when they have loaded it.
//
// Of a pair of CTAs, the MMA warp of the even one issues the two-CTA MMAs for both (twocta.go).
//
// Threads may fill operands of these MMAs too, for example weights that they convert, or rows that they gather
// (handover.go). Then consumers are the producers of one more pipe. If they fill all operands, there is no producer warp.
//
// An accumulator that threads change goes to the MMA warp and back in each iteration, as that of P V in attention. The
// MMA warp then issues MMAs of the next iteration before it waits for threads in this one (ahead.go). One that begins
// with something else than zeros goes there before its loop, and comes back after it.
//
// # The gather role
//
// What TMA cannot load, as many warps as the consumers have copy by cp.async (gather.go). This role and the producer read
// ahead what they take from tables (tables.go).
//
// # When a stage is released
//
// An asynchronous MMA has read its stage when a wait has seen it complete. If only the next MMA uses the accumulator,
// that wait is for the previous MMA, so that one is always in flight. Iteration m then releases the stage of iteration
// m - 1: the release lags by one stage. Without an MMA in flight, iteration m releases its own stage.
//
// In attention, the next iteration uses the accumulator of the second MMA, after a first MMA of its own. Then the
// second MMA is issued in that next iteration (carry.go, late.go), where it is waited for and its stage is released.
//
// TMA stores of a tile read their buffers while the next tile starts; the wait for them comes before the next stores
// (stores.go).
//
// # Order of passes
//
// It runs before the scheduler, because it decides what is left to schedule: a loop without loads has nothing to
// prefetch. After tileas-pipeline-loops it would have to undo the expansion. It runs after tileas-materialize-copies
// and tileas-keep-mma-in-flight, which create the loads and the waits that it distributes.
//
// # What it does not do
//
// A remark says why a kernel stays as it is. The reasons are MMAs of consumers that read what threads copy or store,
// coordinates from memory that the kernel writes or in which it waits for others (onewarp.go), and tensor maps that the
// CTA builds in a loop, but for loads that feed an MMA warp. A loop in which TMA gathers rows by indices in registers
// stays with the consumers. docs/lowering/warp-specialization.md has measurements.
package specializewarps
