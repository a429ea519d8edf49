cuda_tile.module @m {
entry @k(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %m0: tile<i32>, %m1: tile<i32>, %last: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %b0 = assume div_by<16>, %p0 : tile<ptr<f32>>
  %b1 = assume div_by<16>, %p1 : tile<ptr<f32>>
  %n0 = assume bounded<0, ?>, %m0 : tile<i32>
  %n1 = assume bounded<0, ?>, %m1 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>

  %w = assume div_by<8>, %n1 : tile<i32>
  %va = make_tensor_view %b1, shape = [96, 64], strides = [64, 1] : tensor_view<96x64xf32, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x64), tensor_view<96x64xf32, strides=[64,1]>>
  %a, %t1 = load_view_tko weak %pa[%x, %zero] token = %tok : partition_view<tile=(32x64), tensor_view<96x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
  %vc = make_tensor_view %b0, shape = [%n0, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<?x?xf32, strides=[?,1]>>
  %to = remi %x, %two signed : tile<i32>
  %t2 = atomic_red_view_tko relaxed device %pc[%to, %to], addf, %a token = %tok : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
}
}
