cuda_tile.module @m {
  cuda_tile.entry @k(%pc: tile<ptr<f32>>, %pa: tile<ptr<bf16>>, %pb: tile<ptr<bf16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tpc = make_tensor_view %pc, shape = [256, 32], strides = [32, 1] : tensor_view<256x32xf32, strides=[32,1]>
    %vpc = make_partition_view %tpc : partition_view<tile=(256x32), tensor_view<256x32xf32, strides=[32,1]>>
    %tpa = make_tensor_view %pa, shape = [256, 32], strides = [32, 1] : tensor_view<256x32xbf16, strides=[32,1]>
    %vpa = make_partition_view %tpa : partition_view<tile=(256x32), tensor_view<256x32xbf16, strides=[32,1]>>
    %tpb = make_tensor_view %pb, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xbf16, strides=[32,1]>
    %vpb = make_partition_view %tpb : partition_view<tile=(32x32), tensor_view<32x32xbf16, strides=[32,1]>>
    %a, %kpa = load_view_tko weak %vpa[%zero, %zero] : partition_view<tile=(256x32), tensor_view<256x32xbf16, strides=[32,1]>>, tile<i32> -> tile<256x32xbf16>, token
    %b, %kpb = load_view_tko weak %vpb[%zero, %zero] : partition_view<tile=(32x32), tensor_view<32x32xbf16, strides=[32,1]>>, tile<i32> -> tile<32x32xbf16>, token
    %s0 = constant <f32: 0.0> : tile<256x32xf32>
    %s1 = mmaf %a, %b, %s0 : tile<256x32xbf16>, tile<32x32xbf16>, tile<256x32xf32>
    %t = store_view_tko weak %s1, %vpc[%zero, %zero] : tile<256x32xf32>, partition_view<tile=(256x32), tensor_view<256x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
