// Package memory lowers the accesses that threads wait for: loads, stores and atomic operations.
//
//	tiled_load, load      nvvm.ld, a vector of registers at a time, under a mask
//	local_load            nvvm.ldmatrix where the layouts allow it, else nvvm.ld from shared memory
//	local_store           nvvm.stmatrix or nvvm.st
//	remote_load           nvvm.ld from the shared memory of another CTA of the cluster
//	atomic_rmw            nvvm.atomicrmw, once for each element, in the thread that owns it
//
// An element that several threads hold is loaded by each of them, and stored by its owner alone, or by all lanes of the one
// warp that holds it.
package memory
