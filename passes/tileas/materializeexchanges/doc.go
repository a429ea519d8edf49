// Package materializeexchanges is the pass tileas-materialize-exchanges: what the CTAs of a cluster gather of each other goes through their shared memory.
//
//	%y = all_gather %x dim 0        %b = alloc_shared ; local_store %x, %b
//	                                cluster_barrier
//	                                %p0 = remote_load %b of 0 ; %p1 = remote_load %b of 1 ; %y = cat %p0, %p1 dim 0
//	                                cluster_barrier ; dealloc_shared %b
//
// A CTA reads what the others have stored for themselves, and does not store to them: then the barrier in front tells at once that the others have begun and that their parts are there, and memory is written by those alone
// whose barriers and fences order it. Parts are read in the order of the CTAs and combined by every CTA alike, so that all have the same bits.
//
// Gathers that do not need each other's results share their barriers. The barrier behind one keeps the memory for slower CTAs: where the next exchange follows in the same block, that one's barrier in front serves, and the buffer lives until then.
package materializeexchanges
