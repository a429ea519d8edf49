// Two loops, each in an if of its own, add to an accumulator that begins with what threads load.
cuda_tile.module @m {
  entry @k(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pi: tile<ptr<f32>>, %out: tile<ptr<f32>>, %middle: tile<i32>, %end: tile<i32>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %i0 = assume div_by<16>, %pi : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a0, shape = [256, 320], strides = [320, 1] : tensor_view<256x320xf16, strides=[320,1]>
    %vb = make_tensor_view %b0, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf16, strides=[64,1]>
    %vi = make_tensor_view %i0, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
    %vo = make_tensor_view %out, shape = [256, 64], strides = [64, 1] : tensor_view<256x64xf32, strides=[64,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<256x320xf16, strides=[320,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>
    %ti = make_partition_view %vi : partition_view<tile=(128x64), tensor_view<256x64xf32, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x64), tensor_view<256x64xf32, strides=[64,1]>>
    %first, %t1 = load_view_tko weak %ti[%x, %zero] : partition_view<tile=(128x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> tile<128x64xf32>, token
    %c1 = cmpi less_than %zero, %middle, signed : tile<i32> -> tile<i1>
    %r1 = if %c1 -> (tile<128x64xf32>) {
      %s = for %i in (%zero to %middle, step %one) : tile<i32> iter_values(%acc = %first) -> (tile<128x64xf32>) {
        %a, %t2 = load_view_tko weak %ta[%x, %i] : partition_view<tile=(128x64), tensor_view<256x320xf16, strides=[320,1]>>, tile<i32> -> tile<128x64xf16>, token
        %b, %t3 = load_view_tko weak %tb[%i, %zero] : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
        %o = mmaf %a, %b, %acc : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
        continue %o : tile<128x64xf32>
      }
      yield %s : tile<128x64xf32>
    } else {
      yield %first : tile<128x64xf32>
    }
    %c2 = cmpi less_than %middle, %end, signed : tile<i32> -> tile<i1>
    %r2 = if %c2 -> (tile<128x64xf32>) {
      %s = for %i in (%middle to %end, step %one) : tile<i32> iter_values(%acc = %r1) -> (tile<128x64xf32>) {
        %a, %t2 = load_view_tko weak %ta[%x, %i] : partition_view<tile=(128x64), tensor_view<256x320xf16, strides=[320,1]>>, tile<i32> -> tile<128x64xf16>, token
        %b, %t3 = load_view_tko weak %tb[%i, %zero] : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
        %o = mmaf %a, %b, %acc : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
        continue %o : tile<128x64xf32>
      }
      yield %s : tile<128x64xf32>
    } else {
      yield %r1 : tile<128x64xf32>
    }
    %t = store_view_tko weak %r2, %to[%x, %zero] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<256x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
