cuda_tile.module @m {
  cuda_tile.entry @k(%pc: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tpc = make_tensor_view %pc, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %vpc = make_partition_view %tpc : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %tpa = make_tensor_view %pa, shape = [128, 16], strides = [16, 1] : tensor_view<128x16xf16, strides=[16,1]>
    %vpa = make_partition_view %tpa : partition_view<tile=(128x16), tensor_view<128x16xf16, strides=[16,1]>>
    %tpb = make_tensor_view %pb, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf16, strides=[128,1]>
    %vpb = make_partition_view %tpb : partition_view<tile=(16x128), tensor_view<16x128xf16, strides=[128,1]>>
    %a, %kpa = load_view_tko weak %vpa[%zero, %zero] : partition_view<tile=(128x16), tensor_view<128x16xf16, strides=[16,1]>>, tile<i32> -> tile<128x16xf16>, token
    %b, %kpb = load_view_tko weak %vpb[%zero, %zero] : partition_view<tile=(16x128), tensor_view<16x128xf16, strides=[128,1]>>, tile<i32> -> tile<16x128xf16>, token
    %s0 = constant <f32: 0.0> : tile<128x128xf32>
    %s1 = mmaf %a, %b, %s0 : tile<128x16xf16>, tile<16x128xf16>, tile<128x128xf32>
    %t = store_view_tko weak %s1, %vpc[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
