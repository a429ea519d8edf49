// Package cudatiletotileaa is the pass convert-cuda-tile-to-tileaa: it lowers the input to the alias-aware level.
//
// A view becomes the values that it is made of (base, sizes, strides). Each load or store of a view becomes a tiled
// access with its own base, offsets, sizes and strides (Tile IR specification, section on views). Arithmetic becomes
// arith, structured control flow scf. A tile of rank 0 becomes a scalar. Kernel hints for the target become
// attributes of the function.
//
// For example
//
//	%v = make_tensor_view %p, shape = [%n, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf32, strides=[32,1]>
//	%t = make_partition_view %v : partition_view<tile=(16x32), tensor_view<?x32xf32, strides=[32,1]>>
//	%a, %k = load_view_tko weak %t[%x, %y] : ... -> tile<16x32xf32>, token
//
// becomes, with %n and %x extended to i64 and 16*%x and 32*%y as offsets in elements,
//
//	%a, %k = nv_tileaa.tiled_load %p[%x16, %y32] sizes [%n64, %c32] strides [%c32, %c1] {bounds = array<i1: true, true>}
//	  : !nv_tileaa.ptr<f32> -> tensor<16x32xf32>
//
// Views are lowered here and not later, because this is the level of memory. Whether two accesses may touch the
// same bytes depends on bases, offsets and extents, which a view hides. What a view promises (padding, steps of
// the tiles) goes to its accesses, so no access below has to find the operation that made its view.
//
// The conversion changes no order of accesses: tokens become tokens one for one. tileaa-prune-tokens, which knows all
// objects, drops edges.
package cudatiletotileaa
