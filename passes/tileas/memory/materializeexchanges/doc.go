// Package materializeexchanges is the pass tileas-materialize-exchanges. It replaces all_gather, by which the
// CTAs of a cluster exchange data, by accesses to their shared memory.
//
//	%y = all_gather %x dim 0        %b = alloc_shared ; local_store %x, %b
//	                                cluster_barrier
//	                                %p0 = remote_load %b of 0 ; %p1 = remote_load %b of 1 ; %y = cat %p0, %p1 dim 0
//	                                cluster_barrier ; dealloc_shared %b
//
// A CTA reads what the others have stored to their own memory, and does not store to the memory of others. So one
// barrier before the loads says that the other CTAs have started and that their data is there. Memory is written
// only by the CTA whose barriers and fences order it. Parts are read in the order of the CTAs, and all CTAs
// combine them alike, so all have the same bits.
//
// Gathers that do not need each other's results share their barriers. A second barrier keeps the memory until
// slower CTAs have read it. If another exchange follows in the same block, its first barrier does that, and the
// buffer lives until then.
package materializeexchanges
