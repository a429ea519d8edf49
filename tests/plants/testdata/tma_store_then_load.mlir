cuda_tile.module @m {
entry @k(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<f32>>, %m0: tile<i32>, %last: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %b0 = assume div_by<16>, %p0 : tile<ptr<f32>>
  %b1 = assume div_by<16>, %p1 : tile<ptr<f32>>
  %b2 = assume div_by<16>, %p2 : tile<ptr<f32>>
  %n0 = assume bounded<0, ?>, %m0 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>

  %vs = make_tensor_view %b1, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
  %ps = make_partition_view %vs : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
  %vt = make_tensor_view %b1, shape = [32, 32], strides = [1, 32] : tensor_view<32x32xf32, strides=[1,32]>
  %pt = make_partition_view %vt : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[1,32]>>
  %va = make_tensor_view %b2, shape = [32, 96], strides = [96, 1] : tensor_view<32x96xf32, strides=[96,1]>
  %pa = make_partition_view %va : partition_view<tile=(32x32), tensor_view<32x96xf32, strides=[96,1]>>
  %none = constant <f32: 0.0> : tile<32x32xf32>
  %sum, %end = for %k in (%zero to %n0, step %one) : tile<i32> iter_values(%acc = %none, %t = %tok) -> (tile<32x32xf32>, token) {
    %a, %t1 = load_view_tko weak %pa[%zero, %k] token = %tok : partition_view<tile=(32x32), tensor_view<32x96xf32, strides=[96,1]>>, tile<i32> -> tile<32x32xf32>, token
    %t2 = store_view_tko weak %a, %ps[%zero, %zero] token = %t : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    %b, %t3 = load_view_tko weak %pt[%zero, %zero] token = %t2 : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[1,32]>>, tile<i32> -> tile<32x32xf32>, token
    %s = addf %b, %acc : tile<32x32xf32>
    continue %s, %t3 : tile<32x32xf32>, token
  }
  %vc = make_tensor_view %b0, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %end : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
  return
}
}
