// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>) {
  %a = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
  %v = make_partition_view %a : partition_view<tile=(8x16), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
  %x = constant <f32: 1.0> : tile<8x16xf32>
  %t = multimem_store_view_tko weak %v, %x[%i, %i] : partition_view<tile=(8x16), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<8x16xf32>, tile<i32> -> token
  return
}
