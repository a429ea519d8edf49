// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %a = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
  %v = make_partition_view %a : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>
  %i, %j, %k = get_tile_block_id : tile<i32>
  %x, %t = load_view_tko weak %v[%i, %j] : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x16xf32>, token
  %y, %u = load_view_tko relaxed device %v[%j, %i] token = %t : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x16xf32>, token
  return
}
