// Package allocateshared is the pass tileas-allocate-shared: it places every buffer in the kernel's shared memory. Buffers that are never alive at the same
// time may overlap; tileas-insert-barriers keeps their accesses apart.
//
// How long a buffer lives, package buffers knows: to its last access, through whatever value, when asynchronous ones have completed. While memory is plentiful a buffer keeps its place to the
// end of its block, because reuse costs a barrier. Buffers are placed in order of their size, each at the lowest offset that is free for all of its life (first fit).
// What an alloca allocates lives as long as the kernel, since its address may go anywhere; of a global one, it is the address.
package allocateshared
