// Package formtwoctamma is the pass tileas-form-two-cta-mma. It makes pairs of CTAs with the same B operand
// multiply together.
//
//	%b = tiled_load %q[%k, 0] : 64x256      %b = tiled_load %q[%k, %rank mod 2 * 128] : 64x128
//	%d = dot %a, %b, %c                     %d = dot %a, %b, %c {two_ctas, mma = tcgen05.mma.pair m256n256k16}
//
// tileaa-partition-cluster deals out the rows of a tile block to the CTAs of a cluster. Each CTA multiplies its
// rows by a B that is the same for all. From sm_100 on, one instruction multiplies the rows of two CTAs, and
// reads half of the columns of B from the shared memory of each. So each CTA loads only half of B. Circular
// buffers then have room for more stages, and each column of B is loaded once for both CTAs.
//
// The pass runs before tiles have layouts, so copies, pipes and schedules are those of smaller tiles without
// further work.
//
// # Conditions
//
//   - B is the same in both CTAs (package uniform), and both execute the MMA equally often.
//   - B is loaded from a view, and perhaps permuted, so that half of it can be loaded. Threads compute no operand: they
//     would hand it to the MMA of both CTAs.
//   - All MMAs of the kernel with accumulators in TMEM satisfy this. The instructions of a kernel that access
//     TMEM are all for one CTA or all for two (PTX ISA, tcgen05, .cta_group).
//
// Where the conditions do not hold, tileas-multicast-copies loads B once for all CTAs.
//
// The pass adds no synchronization. tileas-specialize-warps lets an MMA warp of the even CTA issue, or
// tileas-promote-to-tmem adds the mbarrier by which the odd CTA signals that its operands are ready.
package formtwoctamma
