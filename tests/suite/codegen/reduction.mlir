// RUN: ptx-counts %s | golden %S/reduction.counts

// A sum of 4096 elements, added to the result by one atomic operation of the tile block.
entry @reduction(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %n: tile<i32>) {
  %a = assume div_by<16>, %p : tile<ptr<f32>>
  %size = assume div_by<16>, %n : tile<i32>
  %start = make_token : token
  %at = make_tensor_view %a, shape = [%size], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
  %av = make_partition_view %at : partition_view<tile=(4096), padding_value = zero, tensor_view<?xf32, strides=[1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %v, %t = load_view_tko weak %av[%x] token = %start : partition_view<tile=(4096), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<4096xf32>, token
  %sum = reduce %v dim=0 identities=[0.0 : f32] : tile<4096xf32> -> tile<f32>
  (%l: tile<f32>, %r: tile<f32>) {
    %s = addf %l, %r : tile<f32>
    yield %s : tile<f32>
  }
  %old, %done = atomic_rmw_tko relaxed device %q, addf, %sum token = %start : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  return
}
