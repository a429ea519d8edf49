// Package tma has the bulk copies and the tensor memory accelerator: cp.async.bulk, cp.reduce.async.bulk, their tensor
// forms in all modes, tensor maps, and the instructions that change one.
//
//	cp.async.bulk.tensor.2d [s], [map, {x, y}], [mbar];
//	  map and box give rows of bytes, swizzled: a list of pieces
//	  one function moves pieces, counts their bytes, and signals the mbarrier
//
// A copy of any kind is a list of pieces, runs of bytes from one place to another. A plain bulk copy is one piece. A
// TMA copy has those that its map, box, mode and swizzle give. So reductions, multicast and completion exist once.
//
// The package does not know tensor cores. A swizzled box has the layout that a matrix descriptor reads because both are
// written from the ISA. Tests hold them together: they multiply what a TMA copy has loaded.
//
// Source: PTX ISA, "Tensors" (access modes, im2col, swizzling, sub-byte types), "cp.async.bulk.tensor",
// "tensormap.replace". The rules for maps are those of the CUDA driver API: cuTensorMapEncodeTiled,
// cuTensorMapEncodeIm2col and cuTensorMapEncodeIm2colWide.
package tma
