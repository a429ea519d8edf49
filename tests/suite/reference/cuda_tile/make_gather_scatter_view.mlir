// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %a = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
  // Tiles of 8 rows, which need not be consecutive, and 16 columns.
  %v = make_gather_scatter_view %a : gather_scatter_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
  return
}
