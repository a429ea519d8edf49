cuda_tile.module @m {
entry @k(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %last: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %b0 = assume div_by<16>, %p0 : tile<ptr<f32>>
  %b1 = assume div_by<16>, %p1 : tile<ptr<f32>>
  %x, %y, %z = get_tile_block_id : tile<i32>

  %va = make_tensor_view %b1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
  %a, %t1 = load_view_tko weak %pa[%zero, %zero] token = %tok : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
  %vc = make_tensor_view %b0, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
  %t2 = store_view_tko weak %a, %pc[%zero, %zero] token = %tok : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> token
  %t3 = atomic_red_view_tko relaxed device %pc[%zero, %zero], addf, %a token = %t2 : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
}
