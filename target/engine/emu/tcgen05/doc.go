// Package tcgen05 has the tensor core of the fifth generation: tensor memory, the copies to and from it, and its MMAs.
// These are dense, sparse or block-scaled, of one CTA or of a pair.
//
//	tcgen05.mma [d], descA, descB, idesc, p;   queued with its operands' addresses
//	tcgen05.commit [mbar];                     when it completes, the MMA reads A, B and D and writes D
//	tcgen05.ld {%r0, ...}, [d];                registers count as unwritten until tcgen05.wait::ld
//
// Tensor memory is a [machine.Unit] of each CTA of a program that uses it: the machine only resets and checks it.
// Operands in shared memory are read through descriptors of their own (descriptor.go), whose fields and swizzle origin
// differ from those of wgmma. The loop that multiplies is that of package mma.
//
// Operations of the tensor core take effect in the order of their issue, when a later commit completes, or earlier if
// the adversary chooses so. Loads and stores of registers take effect at their wait.
//
// The ISA shows many layouts in figures only. CuTe's fragments of tensor memory spell out those of A and D, of metadata
// and of scale factors. Each file says what it rests on. What neither settles is rejected with an error, not guessed;
// the package comment of emu lists it.
//
// Source: PTX ISA, "TensorCore 5th Generation Family Instructions".
package tcgen05
