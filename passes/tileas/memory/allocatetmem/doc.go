// Package allocatetmem is the pass tileas-allocate-tmem. It assigns columns of TMEM to buffers, and makes the
// kernel allocate them at its start and deallocate them wherever it ends.
//
//	%acc = alloc_tmem : 128x256xf32        reserve_tmem %address {columns = 256}
//	                                       %acc = alloc_tmem {offset = 0}
//	                                       ... release_tmem {columns = 256}
//
// CTAs that share an SM allocate from the same 512 columns (PTX ISA, tcgen05.alloc), so a kernel takes no more
// than it needs. Buffers with disjoint live ranges share columns.
package allocatetmem
