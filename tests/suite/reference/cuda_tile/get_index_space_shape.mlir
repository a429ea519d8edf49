// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %a = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
  %v = make_partition_view %a : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>
  // n / 8 rounded up, and 4.
  %k:2 = get_index_space_shape %v : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>> -> tile<i32>
  return
}
