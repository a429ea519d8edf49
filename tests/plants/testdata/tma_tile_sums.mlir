cuda_tile.module @m {
entry @k(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %m0: tile<i32>, %m1: tile<i32>, %m2: tile<i32>, %last: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %b0 = assume div_by<16>, %p0 : tile<ptr<f32>>
  %b1 = assume div_by<16>, %p1 : tile<ptr<f32>>
  %n0 = assume bounded<0, ?>, %m0 : tile<i32>
  %n1 = assume bounded<0, ?>, %m1 : tile<i32>
  %n2 = assume bounded<0, ?>, %m2 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>

  %w = assume div_by<4>, %n2 : tile<i32>
  %va = make_tensor_view %b1, shape = [%n1, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %sum = for %i in (%zero to %n0, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
    %a, %t1 = load_view_tko weak %pa[%i, %zero] token = %tok : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
    %s = addf %acc, %a : tile<64x64xf32>
    continue %s : tile<64x64xf32>
  }
  %vc = make_tensor_view %b0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
}
