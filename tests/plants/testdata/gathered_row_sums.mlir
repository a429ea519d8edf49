cuda_tile.module @m {
entry @k(%p0: tile<ptr<f32>>, %p1: tile<ptr<f32>>, %p2: tile<ptr<i32>>, %m0: tile<i32>, %m1: tile<i32>, %m2: tile<i32>, %last: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %b0 = assume div_by<16>, %p0 : tile<ptr<f32>>
  %b1 = assume div_by<16>, %p1 : tile<ptr<f32>>
  %b2 = assume div_by<16>, %p2 : tile<ptr<i32>>
  %n0 = assume bounded<0, ?>, %m0 : tile<i32>
  %n1 = assume bounded<0, ?>, %m1 : tile<i32>
  %n2 = assume bounded<0, ?>, %m2 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>

  %w = assume div_by<4>, %n1 : tile<i32>
  %vi = make_tensor_view %b2, shape = [32], strides = [1] : tensor_view<32xi32, strides=[1]>
  %pi = make_partition_view %vi : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>
  %i, %ti = load_view_tko weak %pi[%zero] token = %tok : partition_view<tile=(32), tensor_view<32xi32, strides=[1]>>, tile<i32> -> tile<32xi32>, token
  %va = make_tensor_view %b1, shape = [%n0, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %ga = make_gather_scatter_view %va : gather_scatter_view<tile=(32x16), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>, sparse_dim=0>
  %none = constant <f32: 0.0> : tile<32x16xf32>
  %eleven = constant <i32: 11> : tile<i32>
  %sum = for %k in (%zero to %n2, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<32x16xf32>) {
    %at = muli %k, %eleven : tile<i32>
    %from = addi %at, %one : tile<i32>
    %a, %t1 = load_view_tko weak %ga[%i, %from] token = %tok : gather_scatter_view<tile=(32x16), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>, sparse_dim=0>, tile<32xi32>, tile<i32> -> tile<32x16xf32>, token
    %s = addf %acc, %a : tile<32x16xf32>
    continue %s : tile<32x16xf32>
  }
  %vc = make_tensor_view %b0, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf32, strides=[16,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16,1]>>
  %st = store_view_tko weak %sum, %pc[%zero, %zero] token = %tok : tile<32x16xf32>, partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16,1]>>, tile<i32> -> token
  return
}
}
