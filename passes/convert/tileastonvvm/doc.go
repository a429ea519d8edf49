// Package tileastonvvm is the pass convert-tileas-to-nvvm, the way from distributed tiles to the code of one thread.
//
// A tensor becomes as many scalars as its layout gives each thread registers; a scalar stays one; a token vanishes; a buffer becomes an offset in
// shared memory. The layout is a linear map, so the coordinates of a register are those that its number contributes (known here) combined
// with those that the thread's number contributes (computed once, in the kernel's first block). Where the two touch different bits, combining is
// addition, and ends up in the immediate offsets of addresses.
//
// Structured control flow becomes a graph of blocks; values that a loop carries become block arguments.
package tileastonvvm
