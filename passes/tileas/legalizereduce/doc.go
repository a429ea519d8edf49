// Package legalizereduce is the pass tileas-legalize-reduce: it makes every reduce and every scan one that a warp can do alone.
//
// Where several warps hold parts of the reduced dimension, the dimension is seen as two, [warps, rest], of which the first one tells the warps apart. Reducing the rest is then a matter of one
// warp; what is left is redistributed so that every warp holds all partial results in registers, and reduced there. So crossing warps is left to convert_layout, and the lowering of reduce
// knows registers and lane shuffles only. The specification fixes no order of the elements.
//
// A scan keeps the order of its elements: the warps hold consecutive parts of the dimension, seen as [warps, part]. Each warp scans its part; the ends of the parts are
// redistributed and scanned in every thread, and what the warps before a thread's own have together is combined with each of its elements. Combining element by
// element is written as a scan of pairs, so that bodies of any kind stay what they are.
package legalizereduce
