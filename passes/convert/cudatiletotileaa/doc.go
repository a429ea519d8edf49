// Package cudatiletotileaa is the pass convert-cuda-tile-to-tileaa, the way from the input to the alias-aware
// level.
//
// Views disappear: a view becomes the values that it is made of (base, sizes, strides), and each load or store
// of a view a tiled access with base, offsets, sizes and strides of its own (Tile IR specification, section on
// views). Arithmetic becomes arith, structured control flow scf. A tile of rank 0 becomes a scalar. Kernel
// hints for the target become attributes of the function.
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
// Views are dissolved here and not later because this is the level of memory: whether two accesses may touch
// the same bytes is a question about bases, offsets and extents, and a view that is still a value hides all
// three. What a view promises (padding, steps of the tiles) goes to its accesses, so that no access below has
// to find the operation that made its view.
//
// The conversion changes no order of accesses: tokens become tokens one for one. Dropping edges is the business
// of tileaa-prune-tokens, which can see all objects.
package cudatiletotileaa
