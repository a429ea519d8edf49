// Package tileastonvvm is the pass convert-tileas-to-nvvm: it lowers distributed tiles to the code of one thread.
//
// For example, a load of 64 floats in one warp, two for each lane:
//
//	#l = {shape = [64], register = [[1]], lane = [[2], [4], [8], [16], [32]]}    register r of lane t is 2t + r
//	%a = nv_tileas.tiled_load %p[%o] ... -> tensor<64xf32, #l>
//
//	entry:  %lane = tid.x & 31; %x = %lane << 1                                    once, for all uses of #l
//	code:   %i = %o + zext(%x); %q = %p + 4 * %i; %a0, %a1 = nvvm.ld %q            one vector of two registers
//
// A tensor becomes as many scalars as its layout gives each thread registers. A scalar stays one, a token vanishes, and
// a buffer becomes an offset in shared memory. Structured control flow becomes a graph of blocks; values that a loop
// carries become block arguments.
//
// A layout is a linear map. The coordinates of a register combine what its number contributes, which is known here,
// with what the thread's number contributes, which the kernel computes once in its first block. Where the two touch
// different bits, combining is addition, which ends up in the immediate offsets of addresses.
//
// # Nothing is decided here
//
// Layouts, matrix instructions, places in shared memory, barriers and which thread acts are properties that the pass
// requires. Each was checked after the pass that established it. A rule that finds one missing, for instance a
// reduction across warps, returns an error and never takes a second, slower way. So the code of a kernel can be read
// off the IR before this pass.
//
// # Rooms
//
// Each room has the rules of one subject, in its table Rules. Rooms know core and access, and not each other.
//
//	core           the state of a lowering: registers, scopes, thread numbers, constants, buffers, what all rules share
//	access         addresses and bounds of tiled accesses to global memory
//	elements       element-wise operations, constants, shapes, parts of tiles
//	memory         loads, stores and atomics that threads wait for
//	collective     reductions, scans and layout conversions inside a warp
//	mma            MMAs with accumulators in registers: mma.sync, wgmma, FMA
//	async          cp.async, bulk copies, TMA, tensor maps, mbarriers
//	tmem           tensor memory and its MMAs: tcgen05
//	control        branches, loops, warp specialization, barriers, grid
//	deviceruntime  assert, print and the heap of the device
package tileastonvvm
