cuda_tile.module @m {
entry @k(%p0: tile<ptr<f32>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f16>>, %p3: tile<ptr<f16>>, %m0: tile<i32>, %last: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %b0 = assume div_by<16>, %p0 : tile<ptr<f32>>
  %b1 = assume div_by<16>, %p1 : tile<ptr<f16>>
  %b2 = assume div_by<16>, %p2 : tile<ptr<f16>>
  %b3 = assume div_by<16>, %p3 : tile<ptr<f16>>
  %n0 = assume bounded<0, ?>, %m0 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>

  %vs = make_tensor_view %b1, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
  %ps = make_partition_view %vs : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
  %va = make_tensor_view %b2, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
  %w, %tw = load_view_tko weak %pa[%zero, %zero] token = %tok : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
  %ww = addf %w, %w : tile<64x64xf16>
  %stored = store_view_tko weak %ww, %ps[%zero, %zero] token = %tw : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> token
  %pl = make_partition_view %vs : partition_view<tile=(64x16), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>
  %vb = make_tensor_view %b3, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
  %pb = make_partition_view %vb : partition_view<tile=(16x64), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %sum = for %k in (%zero to %n0, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
    %a, %t1 = load_view_tko weak %pl[%zero, %k] token = %stored : partition_view<tile=(64x16), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x16xf16>, token
    %b, %t2 = load_view_tko weak %pb[%k, %zero] token = %tok : partition_view<tile=(16x64), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x64xf16>, token
    %s = mmaf %a, %b, %acc : tile<64x16xf16>, tile<16x64xf16>, tile<64x64xf32>
    continue %s : tile<64x64xf32>
  }
  %vc = make_tensor_view %b0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
}
