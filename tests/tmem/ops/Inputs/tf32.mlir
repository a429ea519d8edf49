cuda_tile.module @m {
  cuda_tile.entry @k(%pc: tile<ptr<f32>>, %pa: tile<ptr<f32>>, %pb: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tpc = make_tensor_view %pc, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xf32, strides=[32,1]>
    %vpc = make_partition_view %tpc : partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>
    %tpa = make_tensor_view %pa, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xf32, strides=[32,1]>
    %vpa = make_partition_view %tpa : partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>
    %tpb = make_tensor_view %pb, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %vpb = make_partition_view %tpb : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %fa, %kpa = load_view_tko weak %vpa[%zero, %zero] : partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>, tile<i32> -> tile<128x32xf32>, token
    %fb, %kpb = load_view_tko weak %vpb[%zero, %zero] : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> tile<32x32xf32>, token
    %a = ftof %fa : tile<128x32xf32> -> tile<128x32xtf32>
    %b = ftof %fb : tile<32x32xf32> -> tile<32x32xtf32>
    %s0 = constant <f32: 0.0> : tile<128x32xf32>
    %s1 = mmaf %a, %b, %s0 : tile<128x32xtf32>, tile<32x32xtf32>, tile<128x32xf32>
    %t = store_view_tko weak %s1, %vpc[%zero, %zero] : tile<128x32xf32>, partition_view<tile=(128x32), tensor_view<128x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
