// Package specializewarps is the pass tileas-specialize-warps: it splits a kernel whose MMAs are fed by TMA into
// producer and consumer warps.
//
//	for { tma_load A, B ; wait ; dot_async A, B, S ; dot_wait }
//
// becomes
//
//	%pipe = alloc_shared : S stages    %full, %empty = alloc_shared : S mbarriers    mbarrier_init ...
//	warp_specialize {
//	  role "compute" warps(W) { for { wait full[k] ; dot_async ; dot_wait {pending = 1} ; arrive empty[k] } }
//	  role "load" warps(1)    { for { wait empty[k] ; expect full[k] ; tma_load } }
//	}
//
// This is the scheme of CUTLASS's warp-specialized kernels (PipelineTmaAsync). The role "compute" is the program
// without its loads, and the role "load" has its loops with the loads and their coordinates only.
//
// TMA loads that are waited for together fill the stages of a circular buffer (type pipe), which has two mbarriers per
// stage. The producer acquires a stage at `empty`, announces the bytes at `full`, and starts the loads. The consumer
// waits at `full`, reads the stage, and releases it at `empty` with one arrival per warp.
//
// So the consumer loop has no loads and no CTA barrier, and the producer runs up to S stages before the consumer.
// Stage index and parity continue when the loop runs again inside another one. In a persistent kernel, the next tile
// is loaded during the epilogue of this one.
//
// # The MMA warp
//
// For tcgen05 a third role of one warp issues the MMAs, if threads use an accumulator only when it is finished
// (chains.go, mmawarp.go). The MMA warp waits at `full`, and each MMA signals `empty` itself. Accumulators are stages
// of a pipe in TMEM. They have mbarriers too: `full` when the accumulator is finished, `empty` when threads have
// loaded it.
//
// Threads may fill operands of these MMAs too, for example weights that they convert (handover.go). Then consumers are
// the producers of one more pipe.
//
// # When a stage is released
//
// An asynchronous MMA has read its stage when a wait has seen it complete. If only the next MMA uses the accumulator,
// that wait is for the previous MMA, so that one is always in flight. Iteration m then releases the stage of iteration
// m - 1, by arrival number m.
//
// The first iteration releases the last stage, which nothing has filled. (Leaving its arrival out would need a test in
// the loop.) So fill n waits for arrival n - S + 1, and the first round finds S - 1 stages free. Without an MMA in
// flight, iteration m releases its own stage, and fill n waits for arrival n - S. With two-CTA MMAs several are in
// flight, and stages are released as many iterations later (twocta.go).
//
// In attention, the next iteration uses the accumulator of the second MMA, after a first MMA of its own. Then the
// second MMA is issued in that next iteration (late.go), or is in flight when its iteration ends (carry.go). Its stage
// is released where it is known to be complete.
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
// A remark says why a kernel stays as it is. The reasons are MMAs in loops that read what threads copy or store,
// coordinates from memory that the kernel writes or in which it waits for others (onewarp.go), and tensor maps that the
// CTA builds. docs/lowering/warp-specialization.md has measurements.
package specializewarps
