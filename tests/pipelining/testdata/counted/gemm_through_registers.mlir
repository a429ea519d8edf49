// Threads convert operand B from i8, so that it passes registers. Its load runs one iteration ahead, the copies of
// operand A several.

cuda_tile.module @m {
  entry @k(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<i8>>, %pc: tile<ptr<f16>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>) {
    %tok = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<i8>>
    %c = assume div_by<16>, %pc : tile<ptr<f16>>
    %va = make_tensor_view %a, shape = [32, 700], strides = [704, 1] : tensor_view<32x700xf16, strides=[704,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>
    %none = constant <f32: 0.0> : tile<32x32xf32>
    %vb = make_tensor_view %b, shape = [700, 32], strides = [32, 1] : tensor_view<700x32xi8, strides=[32,1]>
    %pvb = make_partition_view %vb : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xi8, strides=[32,1]>>
    %r:1 = for %i in (%lo to %hi, step %by) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
      %d = subi %i, %lo : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %x = muli %d, %one : tile<i32>
      %ta, %t1 = load_view_tko weak %pva[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>, tile<i32> -> tile<32x16xf16>, token
      %ti, %t2 = load_view_tko weak %pvb[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xi8, strides=[32,1]>>, tile<i32> -> tile<16x32xi8>, token
      %tb = itof %ti signed : tile<16x32xi8> -> tile<16x32xf16>
      %n = mmaf %ta, %tb, %acc : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
      continue %n : tile<32x32xf32>
    }
    %vo = make_tensor_view %out, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %pvo = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %done = store_view_tko weak %r#0, %pvo[%zero, %zero] token = %tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
