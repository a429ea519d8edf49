// Package tcgen05 has the tensor core of the fifth generation: its memory, the copies to and from it, and its
// products, dense, sparse and scaled by blocks, of one CTA and of pairs.
//
// The memory is a [machine.Unit] of each CTA of a program that uses it; the machine knows only that it is to be reset
// and checked at the end. Operands in shared memory are read through descriptors of their own (descriptor.go: the
// fields differ from those of wgmma, and so does the swizzle's origin), the loop that multiplies is that of package
// mma.
//
// Order: operations of the tensor core take effect in the order of their issue when a commit behind them completes,
// or earlier by the will of the adversary; loads and stores of registers take effect at their wait.
//
// The ISA shows many layouts in figures only. Those of A and D, of metadata and of scale factors are the ones that
// CuTe's fragments of tensor memory spell out; each file says what it rests on, and what neither settles is refused
// with an error instead of guessed (the list is in the package comment of emu).
//
// Source: PTX ISA, "TensorCore 5th Generation Family Instructions".
package tcgen05
