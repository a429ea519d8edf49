cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tv = make_tensor_view %p, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>
    %v, %t = load_view_tko weak %pv[%zero] inbounds = [true] : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %tw = make_tensor_view %q, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %pw = make_partition_view %tw : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %s = store_view_tko weak %v, %pw[%zero] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
