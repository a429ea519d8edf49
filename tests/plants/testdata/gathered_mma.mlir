cuda_tile.module @m {
entry @k(%p0: tile<ptr<f32>>, %p1: tile<ptr<f16>>, %p2: tile<ptr<i32>>, %p3: tile<ptr<f16>>, %m0: tile<i32>, %m1: tile<i32>, %last: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %b0 = assume div_by<16>, %p0 : tile<ptr<f32>>
  %b1 = assume div_by<16>, %p1 : tile<ptr<f16>>
  %b2 = assume div_by<16>, %p2 : tile<ptr<i32>>
  %b3 = assume div_by<16>, %p3 : tile<ptr<f16>>
  %n0 = assume bounded<0, ?>, %m0 : tile<i32>
  %n1 = assume bounded<0, ?>, %m1 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>

  %vi = make_tensor_view %b2, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
  %pi = make_partition_view %vi : partition_view<tile=(128), tensor_view<128xi32, strides=[1]>>
  %i, %ti = load_view_tko weak %pi[%zero] token = %tok : partition_view<tile=(128), tensor_view<128xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
  %va = make_tensor_view %b1, shape = [%n1, 160], strides = [160, 1] : tile<i32> -> tensor_view<?x160xf16, strides=[160,1]>
  %ga = make_gather_scatter_view %va : gather_scatter_view<tile=(128x32), padding_value = zero, tensor_view<?x160xf16, strides=[160,1]>, sparse_dim=0>
  %vb = make_tensor_view %b3, shape = [160, 64], strides = [64, 1] : tensor_view<160x64xf16, strides=[64,1]>
  %pb = make_partition_view %vb : partition_view<tile=(32x64), padding_value = zero, tensor_view<160x64xf16, strides=[64,1]>>
  %none = constant <f32: 0.0> : tile<128x64xf32>
  %depth = constant <i32: 32> : tile<i32>
  %sum = for %k in (%zero to %n0, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x64xf32>) {
    %from = muli %k, %depth : tile<i32>
    %a, %t1 = load_view_tko weak %ga[%i, %from] token = %tok : gather_scatter_view<tile=(128x32), padding_value = zero, tensor_view<?x160xf16, strides=[160,1]>, sparse_dim=0>, tile<128xi32>, tile<i32> -> tile<128x32xf16>, token
    %b, %t2 = load_view_tko weak %pb[%k, %zero] token = %tok : partition_view<tile=(32x64), padding_value = zero, tensor_view<160x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
    %s = mmaf %a, %b, %acc : tile<128x32xf16>, tile<32x64xf16>, tile<128x64xf32>
    continue %s : tile<128x64xf32>
  }
  %vc = make_tensor_view %b0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
  %pc = make_partition_view %vc : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
}
