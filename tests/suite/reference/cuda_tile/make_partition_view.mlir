// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %a = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
  %v = make_partition_view %a : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>
  // Dimension 0 of the tile lies along dimension 1 of the tensor.
  %w = make_partition_view %a : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>
  return
}
