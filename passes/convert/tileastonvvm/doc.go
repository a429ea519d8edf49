// Package tileastonvvm is the pass convert-tileas-to-nvvm, the way from distributed tiles to the code of one
// thread.
//
// A tensor becomes as many scalars as its layout gives each thread registers; a scalar stays one; a token
// vanishes; a buffer becomes an offset in shared memory. The layout is a linear map, so the coordinates of a
// register are those that its number contributes (known here) combined with those that the thread's number
// contributes (computed once, in the kernel's first block). Where the two touch different bits, combining is
// addition, and ends up in the immediate offsets of addresses.
//
// For example, a load of 64 floats in one warp, two for each lane:
//
//	#l = {shape = [64], register = [[1]], lane = [[2], [4], [8], [16], [32]]}    register r of lane t holds element 2t + r
//	%a = nv_tileas.tiled_load %p[%o] ... -> tensor<64xf32, #l>
//
//	entry:  %lane = tid.x & 31; %x = %lane << 1                                    once, for all uses of #l
//	code:   %i = %o + zext(%x); %q = %p + 4 * %i; %a0, %a1 = nvvm.ld %q            one vector of two registers
//
// Structured control flow becomes a graph of blocks; values that a loop carries become block arguments.
//
// Nothing is decided here. Layouts, matrix instructions, places in shared memory, barriers and which thread
// acts are properties that the pass requires and that were checked behind the pass that established each; a
// rule that finds one missing (a conversion between warps, a reduction across warps) is an error, never a
// second, slower way to do it. So the code that a kernel gets can be read off the IR in front of this pass.
package tileastonvvm
