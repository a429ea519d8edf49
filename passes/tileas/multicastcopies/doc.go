// Package multicastcopies is the pass tileas-multicast-copies: bulk tensor copies of what all CTAs of a cluster need alike become one copy for all of them.
//
// # Which copies
//
// tileaa-distribute deals a tile block out to the CTAs of a cluster, which then run one program, each with a number of its own. A copy whose coordinates do not follow from that number brings the same tile to each: a factor of a
// product of which every CTA computes some rows, or columns. Where all CTAs come to the copy as often as each other, each brings a part of the tile to all, as CUTLASS's multicast does, so that the L2 cache reads it once for
// the cluster and not once for each CTA. Boxes of the map are halved until there is one for each CTA.
//
// # When a slot is free
//
// A copy now writes the memory of other CTAs, so that none may start it before all have done with what is there.
//
// With roles, `empty` mbarriers tell who loads that a slot is free. Their phases take the arrivals of all CTAs instead of those of one, and who reads a slot arrives at the mbarriers of all. That arrivals at two CTAs take different
// times does no harm: a phase is over when all CTAs have made as many arrivals as it takes, however they are counted.
//
//	mbarrier_init %empty, 4                     mbarrier_init %empty, 8 ; cluster_barrier
//	role "load":    mbarrier_wait %empty        role "load":    mbarrier_wait %empty cluster
//	                mbarrier_expect %full                       mbarrier_expect %full
//	                tma_load %b ... %full                       tma_load %b ... %full {multicast}
//	role "compute": mbarrier_arrive %empty, 4   role "compute": mbarrier_arrive %empty, 4 cluster
//
// Without roles all threads come to a barrier of the cluster in front of the copies, which takes the place of that of the tile block that would stand there. A product under way hides it.
//
// Bytes may reach an mbarrier before its own CTA expects them: the phase waits for the arrival that expects. The cluster comes together in front of the roles, since an mbarrier must be there when bytes come, and where CTAs end, since
// arrivals may still be on their way to one.
package multicastcopies
