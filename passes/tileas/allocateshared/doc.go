// Package allocateshared is the pass tileas-allocate-shared: it places every buffer in the kernel's shared memory. Buffers that are never alive at the same
// time may overlap; tileas-insert-barriers keeps their accesses apart.
//
// A buffer lives from its allocation to its last use, in the order of the text; a use inside a loop that the allocation is outside of keeps it alive to
// the loop's end. While memory is plentiful a buffer keeps its place to the end of its block, because reuse costs a barrier. Buffers are placed in order of their size, each at the lowest offset that is free for all of its life (first fit).
// What an alloca allocates lives as long as the kernel, since its address may go anywhere; of a global one, it is the address.
package allocateshared
