// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>) {
  %a = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
  %v = make_partition_view %a : partition_view<tile=(8x16), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
  %x, %t = multimem_load_reduce_view_tko relaxed sys %v[%i, %i] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(8x16), tensor_view<64x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8x16xf32>, token
  return
}
