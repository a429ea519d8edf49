// Package emu executes PTX without a GPU. It proves that the PTX of a
// compiler is right, so it shares no code with one: it has its own lexer,
// parser and decoder, and its tables come from the PTX ISA document
// ("Parallel Thread Execution ISA", section names are cited where a table
// stands).
//
// # Rooms
//
// The package itself is a facade: text goes in ([Parse]), launches run ([Module.Run]). Below it, each
// package knows those above its line and nothing else; internal/arch holds them to it.
//
//	num       integers of n bits
//	fp        floating-point formats and arithmetic
//	syntax    lexer, parser, types, spaces          knows no instruction
//	machine   warps, CTAs, memory, waiting          knows no instruction
//	decode    operands; statements to a program     knows no instruction
//	arith     what is computed lane by lane         knows no memory
//	tma       bulk and tensor copies, tensor maps
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
// Parse turns text into a Module. Each entry becomes a program: one decoded
// instruction (machine.Inst) for each statement, with the functions that the
// entry calls behind it. A register is a slot of 32 lanes of 64 bits in a
// warp's register file; a constant is a lane vector too, so that instructions
// do not tell them apart. A predicate is a mask of lanes.
//
// Run executes the grid. A group of CTAs (a cluster) is the unit of
// parallel work; in it, warps take turns until they wait or exit. Within a
// warp, lanes that diverge form a tree of splits and meet again at the
// immediate post-dominator of the branch. Every leaf of that tree makes
// progress, as threads do since Volta, so lanes may wait for each other.
//
// # Checks
//
// A run stops with a *Fault that names line, instruction, CTA and thread
// for accesses out of bounds or misaligned, registers that are read before
// they are written, divergent aligned barriers, wrong member masks, misuse
// of mbarriers and traps; and with a *Deadlock that lists who waits where.
//
// Asynchronous work is never done at once by chance. cp.async copies take
// effect when their thread waits for them, the latest moment that the ISA
// allows, and so do bulk copies that belong to a group; the accumulators of
// wgmma count as unwritten until the wait; bulk copies that signal an
// mbarrier complete a round of turns later. Threads must not exit while a
// bulk copy is in flight. Launch.Adversarial goes further: it shuffles
// warps, diverged lanes and completions by a seed, completes some copies at
// once and others as late as it can, and starts memory as poison, so that
// both a missing wait and a missing barrier before the next use of a buffer
// show.
//
// Operations of tcgen05 take effect when a commit behind them completes,
// and its loads and stores at their wait; tensor memory must be allocated
// and freed, by both CTAs of a pair together. What the hardware leaves
// undefined faults: copies of an operand or of scale factors that differ
// between lanes, metadata without a meaning, a collector buffer that is used
// but not filled. Of one CTA, the operations of the tensor core take effect
// in order, also where the ISA does not promise it. Shared memory that was
// written through the generic proxy faults when a bulk copy or a tensor core
// reads it without a proxy fence in between.
//
// CTAs run in parallel on the same bytes. Their weak accesses are plain ones
// of Go, so that the race detector of Go reports what races in a kernel, and a
// strong store of less than a word beside weak ones, which is none.
//
// Not modelled are the memory consistency rules within a CTA (every access
// is seen at once, fences of threads do nothing), the proxies of global
// memory, caches, and the register limits of a kernel. Instructions lists what
// is executed and what is not; the latter, textures and surfaces above all,
// are errors of Parse that name the instruction.
//
// # Choices
//
// Where the ISA leaves something open, the emulator chooses, so programs must
// not rely on it: the fragments of wmma (see wmmaMatrix in package mma), the bits of tensor
// maps, mbarriers, cache policies and of the responses of launch control,
// which lane elect.sync names, which cluster a cancelled launch was to run,
// the NaN that stands for elements outside of a tensor (all ones). There is
// one device, so that a multimem address is that of its one memory. A function
// that is called by pointer cannot be active already. alloca takes from 16
// KiB for each thread.
//
// Some things the ISA shows in figures only, or not at all, and nothing
// confirms how they are read here: the alignment of the random bits of cvt.rs
// to e4m3, e5m2, e2m3, e3m2 and e2m1; the halo of im2col::w and im2col::w::128
// (the pixels that come next in the traversal); that padding of sub-byte
// tensors stays as it was. That it does not count as transferred, that a
// shared address has the rank of its CTA above bit 24, and that a base offset
// without swizzling is ignored is what Triton relies on. An interleaved layout
// of a tensor, whose strides the ISA does not define, is refused.
//
// The ISA shows some layouts of tensor memory only in figures. Those of A
// and D, of metadata and of scale factors are the ones that CuTe's fragments
// of tensor memory spell out; metadata with M of 64 and Layout C follow from
// Layout F. What neither settles is refused: a K of 96 and the absolute
// leading dimension that it needs, sparsity selectors 2 and 3, an A in
// tensor memory for .ws with M below 128, lanes that the odd CTA of a pair
// disables, and tcgen05.ld.red.16x32bx2.
//
// # Numbers
//
// Operations with a rounding mode are correctly rounded; NaN results are
// the canonical NaN. The approximate instructions (.approx, .full) have no
// exact definition: they give the binary64 result of Go's math package
// rounded once, with the special cases and .ftz as documented. mma sums
// exact products and the accumulator in binary64 in order of k and rounds
// once; hardware sums with fewer bits, so compare with a tolerance. The f64
// forms are chains of fused multiply-adds. Scale factors multiply the
// operands before that, exactly. atom.add.f32 keeps subnormal numbers in
// every space.
package emu
