// Package plankernel decides what a kernel's hints leave to the compiler, by compiling the candidates.
//
// # Example
//
// An attention kernel of 128 x 128 tiles with head size 128 says `occupancy = 2`: two CTAs are to share an SM. A
// thread then has half of the registers. The accumulators of 128 rows do not fit, so that tileaa-strip-mine would
// compute 64 rows at a time, and each part would read K and V again. On sm_90, for 64 tiles of keys:
//
//	2 CTAs on an SM: each keeps the way to the L2 cache busy for 202,800 cycles
//	1 CTA:           it keeps the tensor cores busy for 133,120 cycles
//
// Two CTAs hide each other's latencies, but they share the units. So the kernel gets the second variant. A warning
// says that its hint is not followed, and why.
//
// # How it decides
//
// Each candidate is compiled to the end of nv_tileas on a copy of the kernel (passes.Run.Trial), and priced there by
// the machine's model (passes/tileas/machine/price). Nothing is forecast. A tile that is split, a load that is
// repeated and an MMA with an older instruction stand in the IR that is priced. A hint is followed unless another
// candidate is cheaper by more than what the model can tell (see margin), or an SM does not have the shared memory for
// that many CTAs of the candidate.
//
// Candidates differ in the number of CTAs that share an SM, if the kernel has that hint, in the number of warps, or in
// whether tiles are split. The usual number of warps leaves room for copies of tiles that layouts may not need, and for
// results of element-wise work as entire tiles. Where that room decides, fewer warps are tried, and fewer splits. Other
// kernels compile once.
//
// # What it does not do
//
// Prices count work and no latencies. Variants that do the same work in another order (stages, roles) cost the same here,
// and the passes that arrange them decide.
package plankernel
