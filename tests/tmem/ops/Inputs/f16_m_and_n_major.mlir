cuda_tile.module @m {
  cuda_tile.entry @k(%pc: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tpc = make_tensor_view %pc, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %vpc = make_partition_view %tpc : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %tpa = make_tensor_view %pa, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
    %vpa = make_partition_view %tpa : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>
    %tpb = make_tensor_view %pb, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %vpb = make_partition_view %tpb : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>
    %a, %kpa = load_view_tko weak %vpa[%zero, %zero] : partition_view<tile=(128x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<128x64xf16>, token
    %b, %kpb = load_view_tko weak %vpb[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %s0 = constant <f32: 0.0> : tile<128x64xf32>
    %s1 = mmaf %a, %b, %s0 : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %s2 = mmaf %a, %b, %s1 : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %s3 = mmaf %a, %b, %s2 : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %s4 = mmaf %a, %b, %s3 : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
    %t = store_view_tko weak %s4, %vpc[%zero, %zero] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
