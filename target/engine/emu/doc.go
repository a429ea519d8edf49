// Package emu executes PTX without a GPU.
//
//	module, err := emu.Parse("k.ptx", text)
//	stats, err := module.Run(ctx, memory, emu.Launch{Entry: "k", Grid: grid, Block: block, Adversarial: true, Seed: 7})
//
// It proves that the PTX of a compiler is right, so it shares no code with one. It has its own lexer, parser and
// decoder. Its tables come from the PTX ISA document ("Parallel Thread Execution ISA"); each table cites its section.
//
// # Rooms
//
// The package itself is a facade: text goes in ([Parse]), launches run ([Module.Run]). Below it, a package imports only
// packages above its own line. internal/arch checks that.
//
//	num       integers of n bits
//	fp        floating-point formats and arithmetic
//	vector    arithmetic of f32 with vector instructions
//	syntax    lexer, parser, types, spaces          knows no instruction
//	hb        which accesses are ordered            knows no machine
//	machine   warps, CTAs, memory, waiting          knows no instruction
//	decode    operands; statements to a program     knows no instruction
//	arith     what is computed lane by lane         knows no memory
//	tma       bulk copies, TMA copies, tensor maps
//	access    loads, stores, atomics, cp.async      hands bulk copies to tma
//	barrier   barriers, mbarriers, collectives
//	control   branches, calls, the stack
//	mma       mma, wmma, wgmma, ldmatrix
//	tcgen05   tensor memory and its tensor core     multiplies as mma does
//	forms     the list of instructions              knows nothing, it is data
//	profile   reports of what the machine counted   knows names, not what they do
//
// # Model
//
// Parse turns text into a Module. Each entry becomes a program: one decoded instruction (machine.Inst) for each
// statement, followed by the functions that the entry calls. A register is a slot of 32 lanes of 64 bits in a warp's
// register file. A constant is a lane vector too, so that instructions need not distinguish them. A predicate is a mask
// of lanes.
//
// Run executes the grid. The unit of parallel work is a cluster of CTAs. In it, warps run one after another until they
// wait or exit. Within a warp, diverged lanes form a tree of splits, and meet again at the immediate post-dominator of
// the branch. Every leaf of that tree makes progress, as threads do since Volta, so that lanes may wait for each other.
//
// # Checks
//
// A run stops with a *Fault or a *Deadlock. A Fault names line, instruction, CTA and thread. It reports accesses out of
// bounds or misaligned, registers read before they are written, divergent aligned barriers, wrong member masks, misuse
// of mbarriers, and traps. A Deadlock lists who waits where.
//
// Asynchronous work never completes at once by chance:
//
//   - cp.async copies and bulk copies of a group take effect at the wait of their thread, the latest moment that the
//     ISA permits.
//   - The accumulators of wgmma count as unwritten until the wait.
//   - Bulk copies that signal an mbarrier complete a scheduling round later. A thread must not exit while one is in
//     flight.
//   - Operations of tcgen05 take effect when a later commit completes, its loads and stores at their wait.
//
// Launch.Adversarial goes further. It shuffles warps, diverged lanes and completions by a seed. It completes some
// copies at once and others as late as possible. Memory starts as poison. So both a missing wait and a missing barrier
// before the next use of a buffer show.
//
// Launch.Sync goes further still: it decides from edges which accesses are ordered, whatever the schedule was (package
// hb, docs/async-model.md). The checks of proxy fences above are then its own.
//
// Tensor memory must be allocated and freed, by both CTAs of a pair together. What the hardware leaves undefined
// faults: copies of operands or scale factors that differ between lanes, metadata without a meaning, a collector buffer
// that is used but not filled. The operations of one CTA's tensor core take effect in order, also where the ISA does
// not promise it. Shared memory written through the generic proxy faults when a bulk copy or a tensor core reads it
// without a proxy fence in between.
//
// CTAs run in parallel on the same bytes. Their weak accesses are plain ones of Go, so that Go's race detector reports
// the races of a kernel. It also reports a strong store of less than a word next to weak ones, which is no race.
//
// Memory consistency within a CTA is not modelled: every access is seen at once, and fences of threads do nothing. Nor
// are the proxies of global memory, caches, and the register limits of a kernel. Instructions lists what is executed
// and what is not. The latter, mostly textures and surfaces, are errors of Parse that name the instruction.
//
// # Choices
//
// Where the ISA leaves something open, the emulator chooses, so programs must not rely on it:
//
//   - the fragments of wmma (see wmmaMatrix in package mma)
//   - the bits of tensor maps, mbarriers, cache policies and responses of launch control
//   - which lane elect.sync names, and which cluster a cancelled launch was to run
//   - the NaN that stands for elements outside a tensor (all ones)
//   - one device, so that a multimem address is that of its one memory
//   - a function that is called by pointer cannot be active already
//   - alloca has 16 KiB for each thread
//
// Some things the ISA shows only in figures, or not at all. Nothing confirms how they are read here: the alignment of
// the random bits of cvt.rs to e4m3, e5m2, e2m3, e3m2 and e2m1. The halo of im2col::w and im2col::w::128 (the pixels
// that come next in the traversal). That padding of sub-byte tensors is unchanged. Triton relies on three more. Padding
// does not count as transferred, a shared address has the rank of its CTA above bit 24, and a base offset without
// swizzling is ignored. An interleaved layout of a tensor is rejected, since the ISA does not define its strides.
//
// The ISA shows some layouts of tensor memory only in figures. CuTe's fragments of tensor memory spell out those of A
// and D, of metadata and of scale factors. Metadata with M of 64, and Layout C, follow from Layout F. What neither
// settles is rejected:
//
//   - a K of 96, and the absolute leading dimension that it needs
//   - sparsity selectors 2 and 3
//   - an A in tensor memory for .ws with M below 128
//   - lanes that the odd CTA of a pair disables
//   - tcgen05.ld.red.16x32bx2
//
// # Numbers
//
// Operations with a rounding mode are correctly rounded. NaN results are the canonical NaN. The approximate
// instructions (.approx, .full) have no exact definition. They give the binary64 result of Go's math package rounded
// once, with the special cases and .ftz as documented.
//
// mma adds exact products to the accumulator in binary64, in order of K, and rounds once. Hardware accumulates with
// fewer bits, so compare with a tolerance. The f64 forms are chains of fused multiply-adds. Scale factors multiply the
// operands before that, exactly. atom.add.f32 keeps subnormal numbers in every space.
package emu
