// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %n: tile<i32>) {
  // n rows of 64 floats, one after the other.
  %a = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
  %b = make_tensor_view %p, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
  %s = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32>
  return
}
