// Package allocateshared is the pass tileas-allocate-shared. It assigns an offset in shared memory to every
// buffer.
//
//	%a = alloc_shared : 64x64xf16       %a = alloc_shared {offset = 0}
//	%b = alloc_shared : 64x64xf16       %b = alloc_shared {offset = 0}         if %a is dead when %b is written
//
// Buffers with disjoint live ranges may share memory; tileas-insert-barriers keeps their accesses apart. Package
// buffers computes live ranges: up to the last access, through whatever value, and until asynchronous accesses
// have completed. While memory is plentiful, a buffer keeps its place to the end of its block, because reuse
// costs a barrier. In larger kernels small buffers in loops do, such as those of reductions, if as many CTAs fit an SM.
//
// Buffers are placed by decreasing size, each at the lowest offset that is free during all of its live range
// (first fit). The memory of an alloca lives as long as the kernel, since its address may escape. For a global
// alloca, only the address is kept there.
package allocateshared
