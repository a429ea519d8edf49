// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %a = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
  // Tiles of 8x16 whose upper rows are the lower rows of the tile before.
  %v = make_strided_view %a : strided_view<tile=(8x16), traversal_strides=[4,16], tensor_view<?x64xf32, strides=[64,1]>>
  return
}
