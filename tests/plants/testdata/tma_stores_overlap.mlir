cuda_tile.module @m {
entry @k(%p0: tile<ptr<f16>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<f16>>, %m0: tile<i32>, %last: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %b0 = assume div_by<16>, %p0 : tile<ptr<f16>>
  %b1 = assume div_by<16>, %p1 : tile<ptr<f16>>
  %b2 = assume div_by<16>, %p2 : tile<ptr<f16>>
  %n0 = assume bounded<0, ?>, %m0 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>

  %vc = make_tensor_view %b0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<128x64xf16, strides=[64,1]>>
  %va = make_tensor_view %b1, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
  %pa = make_partition_view %va : partition_view<tile=(64x16), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>
  %vb = make_tensor_view %b2, shape = [64, 256], strides = [256, 1] : tensor_view<64x256xf16, strides=[256,1]>
  %pb = make_partition_view %vb : partition_view<tile=(16x64), padding_value = zero, tensor_view<64x256xf16, strides=[256,1]>>
  %none = constant <f32: 0.0> : tile<64x64xf32>
  %four = constant <i32: 4> : tile<i32>
  %end = for %i in (%zero to %n0, step %one) : tile<i32> iter_values(%done = %tok) -> (token) {
    %sum = for %k in (%zero to %four, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %a, %t1 = load_view_tko weak %pa[%zero, %k] token = %tok : partition_view<tile=(64x16), padding_value = zero, tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x16xf16>, token
      %b, %t2 = load_view_tko weak %pb[%k, %i] token = %tok : partition_view<tile=(16x64), padding_value = zero, tensor_view<64x256xf16, strides=[256,1]>>, tile<i32> -> tile<16x64xf16>, token
      %s = mmaf %a, %b, %acc : tile<64x16xf16>, tile<16x64xf16>, tile<64x64xf32>
      continue %s : tile<64x64xf32>
    }
    %h = ftof %sum : tile<64x64xf32> -> tile<64x64xf16>
    %to = divi %i, %two signed rounding<zero> : tile<i32>
    %st = store_view_tko weak %h, %pc[%to, %zero] token = %done : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> token
    continue %st : token
  }
  return
}
}
