// Package cudatiletotileaa is the pass convert-cuda-tile-to-tileaa, the way from the input to the alias-aware level.
//
// Views disappear: a view becomes the values that it is made of (base, sizes, strides), and each load or store of a view a tiled access with base, offsets, sizes and
// strides of its own (Tile IR specification, section on views). Arithmetic becomes arith, structured control flow scf. A tile of rank 0 becomes a scalar. Kernel hints for
// the target become attributes of the function.
package cudatiletotileaa
