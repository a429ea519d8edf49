// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %a = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
  // n and 64.
  %k:2 = get_tensor_shape %a : tensor_view<?x64xf32, strides=[64,1]> -> tile<i32>
  return
}
