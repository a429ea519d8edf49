// Package async lowers asynchronous copies and what waits for them.
//
//	copy_async, gather_async     cp.async: each thread starts its chunks, and waits for groups of them
//	bulk_load, bulk_store        cp.async.bulk: one thread copies a contiguous buffer
//	tma_load, tma_store          cp.async.bulk.tensor, by a tensor map
//	make_tensor_map              a hidden parameter of the kernel, or a map that the CTA makes in global memory
//	mbarrier_init, wait, ...     mbarrier instructions
//
// One elected thread starts bulk copies and TMA, and announces their bytes. All threads wait.
package async
