cuda_tile.module @m {
  cuda_tile.entry @k(%pc: tile<ptr<i32>>, %pa: tile<ptr<i8>>, %pb: tile<ptr<i8>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tpc = make_tensor_view %pc, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    %vpc = make_partition_view %tpc : partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64,1]>>
    %tpa = make_tensor_view %pa, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi8, strides=[64,1]>
    %vpa = make_partition_view %tpa : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>
    %tpb = make_tensor_view %pb, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi8, strides=[64,1]>
    %vpb = make_partition_view %tpb : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>
    %a, %kpa = load_view_tko weak %vpa[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>, tile<i32> -> tile<64x64xi8>, token
    %b, %kpb = load_view_tko weak %vpb[%zero, %zero] : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>, tile<i32> -> tile<64x64xi8>, token
    %s0 = constant <i32: 0> : tile<64x64xi32>
    %s1 = mmai %a, %b, %s0 signed signed : tile<64x64xi8>, tile<64x64xi8>, tile<64x64xi32>
    %t = store_view_tko weak %s1, %vpc[%zero, %zero] : tile<64x64xi32>, partition_view<tile=(64x64), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
