// Package pairproducts is the pass tileas-pair-products: two CTAs of a cluster that multiply by the same factor do so together.
//
// tileaa-distribute deals the rows of a tile block out to the CTAs of a cluster, each of which multiplies its own rows by a factor B that is the same for all. From sm_100 on one instruction multiplies the rows of two CTAs, and reads
// half of the columns of B from the shared memory of each. So each CTA brings half of B alone:
//
//	%b = tiled_load %q[%k, 0] : 64x256           %b = tiled_load %q[%k, %rank mod 2 * 128] : 64x128
//	%d = dot %a, %b, %c : 128x64, 64x256         %d = dot %a, %b, %c {two_ctas, mma = tcgen05.mma.pair m256n256k16} : 128x64, 64x128 -> 128x256
//
// The ring that copies fill has room for more tiles then, and what is read is read once for both. It is done where tiles have no layouts yet, so that copies, rings and schedules are those of the smaller tiles by themselves.
//
// # What must hold
//
// B must be the same in both, which is what package sameness finds, and both must come to the product as often as each other. It must be what is loaded from a view, if with element-wise arithmetic and permutations on the way, so
// that half of it can be loaded. All products of a kernel whose sums are in tensor memory are done so or none is: the instructions of a kernel that touch tensor memory are all for one CTA or all for two
// (PTX ISA, tcgen05, .cta_group). What is not done so, tileas-multicast-copies has all CTAs load once.
//
// # Who waits for whom
//
// Nothing here: tileas-use-tensor-memory adds the mbarrier by which one CTA tells the other that its part is there.
package pairproducts
