// Operand A is gathered through pointers by copies. The last columns and one of the rows are masked off.

cuda_tile.module @m {
  entry @k(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<i32>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>) {
    %tok = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<f16>>
    %c = assume div_by<16>, %pc : tile<ptr<i32>>
    %g0 = iota : tile<32xi32>
    %g1 = reshape %c : tile<ptr<i32>> -> tile<1xptr<i32>>
    %g2 = broadcast %g1 : tile<1xptr<i32>> -> tile<32xptr<i32>>
    %g3 = offset %g2, %g0 : tile<32xptr<i32>>, tile<32xi32> -> tile<32xptr<i32>>
    %numbers, %tn = load_ptr_tko weak %g3 token = %tok : tile<32xptr<i32>> -> tile<32xi32>, token
    %g4 = constant <i32: 1> : tile<32xi32>
    %g5 = addi %numbers, %g4 : tile<32xi32>
    %g6 = reshape %g5 : tile<32xi32> -> tile<32x1xi32>
    %g7 = constant <i32: 704> : tile<32x1xi32>
    %firsts = muli %g6, %g7 : tile<32x1xi32>
    %g8 = constant <i32: 2> : tile<32x1xi32>
    %given = cmpi less_than %g6, %g8, signed : tile<32x1xi32> -> tile<32x1xi1>
    %g9 = reshape %a : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %tables = broadcast %g9 : tile<1x1xptr<f16>> -> tile<32x16xptr<f16>>
    %vb = make_tensor_view %b, shape = [700, 32], strides = [32, 1] : tensor_view<700x32xf16, strides=[32,1]>
    %pvb = make_partition_view %vb : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>
    %none = constant <f32: 0.0> : tile<32x32xf32>
    %end = constant <i32: 72> : tile<32x16xi32>
    %width = constant <i32: 16> : tile<i32>
    %others = constant <f16: 0.0> : tile<32x16xf16>
    %r:1 = for %i in (%lo to %hi, step %by) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
      %d = subi %i, %lo : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %x = muli %d, %one : tile<i32>
      %k0 = muli %x, %width : tile<i32>
      %k1 = reshape %k0 : tile<i32> -> tile<1xi32>
      %k2 = broadcast %k1 : tile<1xi32> -> tile<16xi32>
      %k3 = iota : tile<16xi32>
      %k4 = addi %k2, %k3 : tile<16xi32>
      %k5 = reshape %k4 : tile<16xi32> -> tile<1x16xi32>
      %k6 = broadcast %k5 : tile<1x16xi32> -> tile<32x16xi32>
      %r0 = broadcast %firsts : tile<32x1xi32> -> tile<32x16xi32>
      %at = addi %r0, %k6 : tile<32x16xi32>
      %ps = offset %tables, %at : tile<32x16xptr<f16>>, tile<32x16xi32> -> tile<32x16xptr<f16>>
      %in0 = cmpi less_than %k6, %end, signed : tile<32x16xi32> -> tile<32x16xi1>
      %in1 = broadcast %given : tile<32x1xi1> -> tile<32x16xi1>
      %in = andi %in0, %in1 : tile<32x16xi1>
      %ta, %t1 = load_ptr_tko weak %ps, %in, %others token = %tok : tile<32x16xptr<f16>>, tile<32x16xi1>, tile<32x16xf16> -> tile<32x16xf16>, token
      %tb, %t2 = load_view_tko weak %pvb[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x32xf16>, token
      %n = mmaf %ta, %tb, %acc : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
      continue %n : tile<32x32xf32>
    }
    %vo = make_tensor_view %out, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %pvo = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %done = store_view_tko weak %r#0, %pvo[%zero, %zero] token = %tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
