cuda_tile.module @m {
entry @k(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<i32>>, %m0: tile<i32>, %last: tile<i32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %two = constant <i32: 2> : tile<i32>
  %b0 = assume div_by<16>, %p0 : tile<ptr<i32>>
  %b1 = assume div_by<16>, %p1 : tile<ptr<i32>>
  %b2 = assume div_by<16>, %p2 : tile<ptr<i32>>
  %n0 = assume bounded<0, ?>, %m0 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>

  %vi = make_tensor_view %b2, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
  %pi = make_partition_view %vi : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
  %i, %ti = load_view_tko weak %pi[%zero] token = %tok : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
  %va = make_tensor_view %b1, shape = [32, %n0], strides = [1, 32] : tile<i32> -> tensor_view<32x?xi32, strides=[1,32]>
  %ga = make_gather_scatter_view %va : gather_scatter_view<tile=(32x16), padding_value = zero, tensor_view<32x?xi32, strides=[1,32]>, sparse_dim=1>
  %a, %t1 = load_view_tko weak %ga[%zero, %i] token = %tok : gather_scatter_view<tile=(32x16), padding_value = zero, tensor_view<32x?xi32, strides=[1,32]>, sparse_dim=1>, tile<i32>, tile<16xi32> -> tile<32x16xi32>, token
  %b = addi %a, %a : tile<32x16xi32>
  %vc = make_tensor_view %b0, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xi32, strides=[16,1]>
  %pc = make_partition_view %vc : partition_view<tile=(32x16), tensor_view<32x16xi32, strides=[16,1]>>
  %st = store_view_tko weak %b, %pc[%zero, %zero] token = %tok : tile<32x16xi32>, partition_view<tile=(32x16), tensor_view<32x16xi32, strides=[16,1]>>, tile<i32> -> token
  return
}
}
