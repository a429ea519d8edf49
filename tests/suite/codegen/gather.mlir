// RUN: ptx-counts %s | golden %S/gather.counts

// Rows of a table by their numbers: the numbers are loaded once, the rows 16 bytes at a time through pointers of their own, since they begin at multiples of that.
entry @gather(%table: tile<ptr<f32>>, %numbers: tile<ptr<i32>>, %out: tile<ptr<f32>>) {
  %n = assume div_by<16>, %numbers : tile<ptr<i32>>
  %o = assume div_by<16>, %out : tile<ptr<f32>>
  %p = assume div_by<16>, %table : tile<ptr<f32>>
  %start = make_token : token
  %x, %y, %z = get_tile_block_id : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %width = constant <i32: 64> : tile<16x1xi32>
  %nt = make_tensor_view %n, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
  %nv = make_partition_view %nt : partition_view<tile=(16), tensor_view<4096xi32, strides=[1]>>
  %ot = make_tensor_view %o, shape = [4096, 64], strides = [64, 1] : tensor_view<4096x64xf32, strides=[64,1]>
  %ov = make_partition_view %ot : partition_view<tile=(16x64), tensor_view<4096x64xf32, strides=[64,1]>>
  %rows, %t = load_view_tko weak %nv[%x] token = %start : partition_view<tile=(16), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
  %rows2 = reshape %rows : tile<16xi32> -> tile<16x1xi32>
  %firsts = muli %rows2, %width : tile<16x1xi32>
  %first = broadcast %firsts : tile<16x1xi32> -> tile<16x64xi32>
  %columns = iota : tile<64xi32>
  %columns2 = reshape %columns : tile<64xi32> -> tile<1x64xi32>
  %column = broadcast %columns2 : tile<1x64xi32> -> tile<16x64xi32>
  %at = addi %first, %column : tile<16x64xi32>
  %p2 = reshape %p : tile<ptr<f32>> -> tile<1x1xptr<f32>>
  %base = broadcast %p2 : tile<1x1xptr<f32>> -> tile<16x64xptr<f32>>
  %ptrs = offset %base, %at : tile<16x64xptr<f32>>, tile<16x64xi32> -> tile<16x64xptr<f32>>
  %v, %u = load_ptr_tko weak %ptrs token = %start : tile<16x64xptr<f32>> -> tile<16x64xf32>, token
  %done = store_view_tko weak %v, %ov[%x, %zero] token = %start : tile<16x64xf32>, partition_view<tile=(16x64), tensor_view<4096x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
