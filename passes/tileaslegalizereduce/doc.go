// Package tileaslegalizereduce is the pass tileas-legalize-reduce: it makes every reduce one that a warp can do alone.
//
// Where several warps hold parts of the reduced dimension, the dimension is seen as three, [high, warps, low], of which the middle one tells the warps
// apart. Reducing the low and the high part is then a matter of one warp; what is left is redistributed so that every warp holds all partial
// results in registers, and reduced there. So crossing warps is left to convert_layout, and the lowering of reduce knows registers and lane shuffles only.
package tileaslegalizereduce
