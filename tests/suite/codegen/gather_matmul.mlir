// RUN: ptx-counts %s | golden %S/gather_matmul.counts

// Rows of a matrix by their numbers, times a matrix: their copies run ahead as those of a view do, in pieces of 16 bytes. What is outside is left out by the number of bytes that are read.
entry @gather_matmul(%table: tile<ptr<bf16>>, %rows: tile<i32>, %columns: tile<i32>, %stride: tile<i32>, %numbers: tile<ptr<i32>>, %weights: tile<ptr<bf16>>, %out: tile<ptr<f32>>) {
  %p = assume div_by<16>, %table : tile<ptr<bf16>>
  %n = assume div_by<16>, %numbers : tile<ptr<i32>>
  %w = assume div_by<16>, %weights : tile<ptr<bf16>>
  %o = assume div_by<16>, %out : tile<ptr<f32>>
  %k0 = assume div_by<8>, %columns : tile<i32>
  %k = assume bounded<0, ?>, %k0 : tile<i32>
  %s0 = assume div_by<8>, %stride : tile<i32>
  %s = assume bounded<0, ?>, %s0 : tile<i32>
  %start = make_token : token
  %x, %y, %z = get_tile_block_id : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %depth = constant <i32: 64> : tile<i32>
  %none = constant <f32: 0.0> : tile<64x128xf32>
  %nothing = constant <bf16: 0.0> : tile<64x64xbf16>
  %nt = make_tensor_view %n, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
  %nv = make_partition_view %nt : partition_view<tile=(64), tensor_view<4096xi32, strides=[1]>>
  %wt = make_tensor_view %w, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xbf16, strides=[4096,1]>
  %wv = make_partition_view %wt : partition_view<tile=(64x128), tensor_view<4096x4096xbf16, strides=[4096,1]>>
  %ot = make_tensor_view %o, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf32, strides=[4096,1]>
  %ov = make_partition_view %ot : partition_view<tile=(64x128), tensor_view<4096x4096xf32, strides=[4096,1]>>
  %row, %t = load_view_tko weak %nv[%x] token = %start : partition_view<tile=(64), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
  %row2 = reshape %row : tile<64xi32> -> tile<64x1xi32>
  %row3 = exti %row2 signed : tile<64x1xi32> -> tile<64x1xi64>
  %rows2 = broadcast %row3 : tile<64x1xi64> -> tile<64x64xi64>
  %m = exti %rows signed : tile<i32> -> tile<i64>
  %m2 = reshape %m : tile<i64> -> tile<1x1xi64>
  %m3 = broadcast %m2 : tile<1x1xi64> -> tile<64x64xi64>
  %given = cmpi less_than %rows2, %m3, unsigned : tile<64x64xi64> -> tile<64x64xi1>
  %l = exti %s signed : tile<i32> -> tile<i64>
  %l2 = reshape %l : tile<i64> -> tile<1x1xi64>
  %l3 = broadcast %l2 : tile<1x1xi64> -> tile<64x64xi64>
  %first = muli %rows2, %l3 : tile<64x64xi64>
  %e = exti %k signed : tile<i32> -> tile<i64>
  %e2 = reshape %e : tile<i64> -> tile<1x1xi64>
  %e3 = broadcast %e2 : tile<1x1xi64> -> tile<64x64xi64>
  %p2 = reshape %p : tile<ptr<bf16>> -> tile<1x1xptr<bf16>>
  %base = broadcast %p2 : tile<1x1xptr<bf16>> -> tile<64x64xptr<bf16>>
  %count = iota : tile<64xi32>
  %steps = divi %k, %depth signed rounding<positive_inf> : tile<i32>
  %sum = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x128xf32>) {
    %c0 = muli %i, %depth : tile<i32>
    %c1 = reshape %c0 : tile<i32> -> tile<1xi32>
    %c2 = broadcast %c1 : tile<1xi32> -> tile<64xi32>
    %c3 = addi %c2, %count : tile<64xi32>
    %c4 = reshape %c3 : tile<64xi32> -> tile<1x64xi32>
    %c5 = exti %c4 signed : tile<1x64xi32> -> tile<1x64xi64>
    %column = broadcast %c5 : tile<1x64xi64> -> tile<64x64xi64>
    %inside = cmpi less_than %column, %e3, unsigned : tile<64x64xi64> -> tile<64x64xi1>
    %in = andi %given, %inside : tile<64x64xi1>
    %at = addi %first, %column : tile<64x64xi64>
    %ptrs = offset %base, %at : tile<64x64xptr<bf16>>, tile<64x64xi64> -> tile<64x64xptr<bf16>>
    %a, %ta = load_ptr_tko weak %ptrs, %in, %nothing token = %start : tile<64x64xptr<bf16>>, tile<64x64xi1>, tile<64x64xbf16> -> tile<64x64xbf16>, token
    %b, %tb = load_view_tko weak %wv[%i, %y] token = %start : partition_view<tile=(64x128), tensor_view<4096x4096xbf16, strides=[4096,1]>>, tile<i32> -> tile<64x128xbf16>, token
    %d = mmaf %a, %b, %acc : tile<64x64xbf16>, tile<64x128xbf16>, tile<64x128xf32>
    continue %d : tile<64x128xf32>
  }
  %done = store_view_tko weak %sum, %ov[%x, %y] token = %start : tile<64x128xf32>, partition_view<tile=(64x128), tensor_view<4096x4096xf32, strides=[4096,1]>>, tile<i32> -> token
  return
}
