// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %a = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
  %v = make_partition_view %a : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>
  %i, %j, %k = get_tile_block_id : tile<i32>
  %x = constant <f32: 1.0> : tile<8x16xf32>
  %t = store_view_tko weak %x, %v[%i, %j] : tile<8x16xf32>, partition_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
