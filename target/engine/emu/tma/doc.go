// Package tma has the bulk copies and the tensor memory accelerator: cp.async.bulk, cp.reduce.async.bulk, their tensor
// forms in all modes, tensor maps and the instructions that change one.
//
// A copy of any kind is a list of pieces, runs of bytes from here to there (see piece): a plain bulk copy is one
// piece, a tensor copy those that its map, box, mode and swizzle give. One function moves pieces and tells mbarriers,
// for all of them, so that reductions, multicast and completion exist once.
//
// It does not know tensor cores: that a swizzled box has the layout that a matrix descriptor reads follows from both
// being written from the ISA, and tests that multiply what a tensor copy brought hold them together.
//
// Source: PTX ISA, "Tensors" (access modes, im2col, swizzling, sub-byte types), "cp.async.bulk.tensor",
// "tensormap.replace"; the rules that a map must obey are those of the CUDA driver API, cuTensorMapEncodeTiled,
// cuTensorMapEncodeIm2col and cuTensorMapEncodeIm2colWide.
package tma
