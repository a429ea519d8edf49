cuda_tile.module @m {
entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f16>>) {
  %t0 = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %bx, %by, %bz = get_tile_block_id : tile<i32>
  %a_p = assume div_by<16>, %a : tile<ptr<f16>>
  %left_v = make_tensor_view %a_p, shape = [128, 576], strides = [576, 1] : tensor_view<128x576xf16, strides=[576, 1]>
  %left_w = make_partition_view %left_v : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x576xf16, strides=[576, 1]>>
  %b_p = assume div_by<16>, %b : tile<ptr<f16>>
  %right_v = make_tensor_view %b_p, shape = [576, 64], strides = [64, 1] : tensor_view<576x64xf16, strides=[64, 1]>
  %right_w = make_partition_view %right_v : partition_view<tile=(64x64), padding_value = zero, tensor_view<576x64xf16, strides=[64, 1]>>
  %c_p = assume div_by<16>, %c : tile<ptr<f16>>
  %out_v = make_tensor_view %c_p, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64, 1]>
  %out_w = make_partition_view %out_v : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x64xf16, strides=[64, 1]>>
  %turns = constant <i32: 9> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %none = constant <f32: 0.0> : tile<128x64xf32>
  %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x64xf32>) {
  %x, %t1 = load_view_tko weak %left_w[%bx, %i] token = %t0 : partition_view<tile=(128x64), padding_value = zero, tensor_view<128x576xf16, strides=[576, 1]>>, tile<i32> -> tile<128x64xf16>, token
  %y, %t2 = load_view_tko weak %right_w[%i, %by] token = %t0 : partition_view<tile=(64x64), padding_value = zero, tensor_view<576x64xf16, strides=[64, 1]>>, tile<i32> -> tile<64x64xf16>, token
  %next = mmaf %x, %y, %acc : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
  continue %next : tile<128x64xf32>
  }
  %half = constant <f32: 0.5> : tile<128x64xf32>
  %scaled = mulf %sum, %half : tile<128x64xf32>
  %small = ftof %scaled : tile<128x64xf32> -> tile<128x64xf16>
  %t3 = store_view_tko weak %small, %out_w[%bx, %by] token = %t0 : tile<128x64xf16>, partition_view<tile=(128x64), padding_value = zero, tensor_view<128x64xf16, strides=[64, 1]>>, tile<i32> -> token
  return
}
}
