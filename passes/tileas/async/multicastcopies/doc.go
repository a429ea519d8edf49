// Package multicastcopies is the pass tileas-multicast-copies: it turns TMA loads of a tile that all CTAs of a cluster
// need into multicast loads.
//
//	tma_load %b, %m[%k, 0], %bar                (each of 2 CTAs loads all boxes)
//
// becomes
//
//	tma_load %b, %m[%k, 0], %bar {multicast}    (each CTA loads half of the boxes for both)
//
// # Which loads
//
// tileaa-partition-cluster divides a tile block among the CTAs of a cluster. They run one program with different CTA
// numbers. A load whose coordinates do not depend on that number brings the same tile to each CTA. It is an operand of
// an MMA of which every CTA computes some rows or columns.
//
// If all CTAs execute the load equally often, each loads a subtile for all. So the L2 cache reads the tile once for
// the cluster, as with CUTLASS's multicast copies. The boxes of the tensor map are halved until there is one for each
// CTA.
//
// # When a stage is free
//
// A multicast load writes the shared memory of other CTAs. So no CTA may start it before all CTAs have read the old
// contents.
//
// In a warp-specialized kernel, the `empty` mbarriers signal that. Each phase now counts the arrivals of all CTAs, and
// each consumer arrives at the mbarriers of all CTAs. A phase completes when it has all arrivals, in whatever order
// they come.
//
//	mbarrier_init %empty, 4                     mbarrier_init %empty, 8 ; cluster_barrier
//	role "load":    mbarrier_wait %empty        role "load":    mbarrier_wait %empty cluster
//	                mbarrier_expect %full                       mbarrier_expect %full
//	                tma_load %b ... %full                       tma_load %b ... %full {multicast}
//	role "compute": mbarrier_arrive %empty, 4   role "compute": mbarrier_arrive %empty, 4 cluster
//
// MMAs of an MMA warp arrive there themselves when they are done: tmem_dot and mma_commit get `cluster` too.
//
// Otherwise all threads would have to meet at a cluster barrier before each load. Its release is a fence of the GPU,
// which waits for what the threads still load. So each CTA loads the tile itself.
//
// Bytes may reach an mbarrier before its own CTA expects them. The phase stays open then, because the arrival of the
// expecting thread is missing. The cluster meets before the roles begin, since an mbarrier must be initialized when
// bytes arrive. It meets again before CTAs exit, since remote arrivals may still be in flight.
//
// # What it does not do
//
// Loads whose coordinates or control flow differ between CTAs stay as they are, with a remark. So do loads of a kernel
// that is not warp-specialized, and loads on targets where ptxas warns that multicast is slow.
package multicastcopies
