// Package legalizereduce is the pass tileas-legalize-reduce. It splits reductions and scans whose dimension
// several warps share, so that each is inside a warp or inside a thread.
//
//	%r = reduce %x dim 0 : 256xf32       %x2 = reshape %x : 4x64              4 warps, 64 elements each
//	                                     %p  = reduce %x2 dim 1 : 4           inside each warp
//	                                     %q  = convert_layout %p : #all       through shared memory
//	                                     %r  = reduce %q dim 0                inside each thread
//
// The reduced dimension is seen as two, [warps, rest], of which only the first differs between warps. A warp
// reduces the rest by itself. The partial results are redistributed so that every thread holds those of all
// warps, and are reduced there. So only convert_layout exchanges data between warps, and the lowering of reduce
// knows only registers and lane shuffles. Tile IR fixes no order of the elements.
//
// Of many lines, lanes that would all combine the same results combine those of some lines each, and hand them on, if
// that is less work: of eight lines in four warps, 3 applications of the body and 8 shuffles instead of 24 applications.
//
// A scan keeps the order of its elements: the warps hold consecutive parts of the dimension, seen as [warps,
// part]. Each warp scans its part. The last elements of the parts are redistributed and scanned in every thread.
// The total of the warps before a thread's own is then combined with each of its elements. That is written as a
// scan of pairs, so the body of the scan may be any code.
package legalizereduce
