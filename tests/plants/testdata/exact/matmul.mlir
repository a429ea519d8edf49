// A product of 32 x 512 and 512 x 32 matrices, divided by 512 on the way out.
cuda_tile.module @m {
  entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) {
    %av = make_tensor_view %a, shape = [32, 512], strides = [512, 1] : tensor_view<32x512xf16, strides=[512,1]>
    %bv = make_tensor_view %b, shape = [512, 32], strides = [32, 1] : tensor_view<512x32xf16, strides=[32,1]>
    %cv = make_tensor_view %c, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %ap = make_partition_view %av : partition_view<tile=(32x32), tensor_view<32x512xf16, strides=[512,1]>>
    %bp = make_partition_view %bv : partition_view<tile=(32x32), tensor_view<512x32xf16, strides=[32,1]>>
    %cp = make_partition_view %cv : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %steps = constant <i32: 16> : tile<i32>
    %zero = constant <f32: 0.0> : tile<32x32xf32>
    %sum = for %k in (%c0 to %steps, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<32x32xf32>) {
      %at, %t1 = load_view_tko weak %ap[%c0, %k] : partition_view<tile=(32x32), tensor_view<32x512xf16, strides=[512,1]>>, tile<i32> -> tile<32x32xf16>, token
      %bt, %t2 = load_view_tko weak %bp[%k, %c0] : partition_view<tile=(32x32), tensor_view<512x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
      %next = mmaf %at, %bt, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %next : tile<32x32xf32>
    }
    %share = constant <f32: 0.001953125> : tile<32x32xf32>
    %out = mulf %sum, %share : tile<32x32xf32>
    %t3 = store_view_tko weak %out, %cp[%c0, %c0] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
