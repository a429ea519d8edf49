// Package cudatiletotileaa is the pass convert-cuda-tile-to-tileaa, the way from the input to the alias-aware level.
//
// Views disappear: make_tensor_view and the view constructors only make entries in a table, and each load or store of a view becomes a
// tiled access with base, offsets, sizes and strides of its own (Tile IR specification, section on views). Arithmetic becomes arith, structured control flow scf. A
// tile of rank 0 becomes a scalar. Kernel hints for the target become attributes of the function.
package cudatiletotileaa
