// RUN: ptx-counts %s | golden %S/transpose.counts

// A transposition of tiles of 64x64 f32: both sides 16 bytes at a time, through shared memory without bank conflicts.
entry @transpose(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
  %a = assume div_by<16>, %p : tile<ptr<f32>>
  %b = assume div_by<16>, %q : tile<ptr<f32>>
  %rows = assume div_by<16>, %m : tile<i32>
  %columns = assume div_by<16>, %n : tile<i32>
  %start = make_token : token
  %at = make_tensor_view %a, shape = [%rows, %columns], strides = [%columns, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %bt = make_tensor_view %b, shape = [%columns, %rows], strides = [%rows, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
  %av = make_partition_view %at : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>
  %bv = make_partition_view %bt : partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %s, %t = load_view_tko weak %av[%x, %y] token = %start : partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<64x64xf32>, token
  %d = permute %s [1, 0] : tile<64x64xf32> -> tile<64x64xf32>
  %done = store_view_tko weak %d, %bv[%y, %x] token = %start : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
}
