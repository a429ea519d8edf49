// Operands of f32 are copied, and converted after the copy. Rows of operand B lie along its columns, once as stored
// and once transposed.

cuda_tile.module @m {
  entry @k(%out: tile<ptr<f32>>, %pa: tile<ptr<f32>>, %pb: tile<ptr<f32>>, %pc: tile<ptr<f32>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>) {
    %tok = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %pa : tile<ptr<f32>>
    %b = assume div_by<16>, %pb : tile<ptr<f32>>
    %c = assume div_by<16>, %pc : tile<ptr<f32>>
    %va = make_tensor_view %a, shape = [32, 700], strides = [704, 1] : tensor_view<32x700xf32, strides=[704,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf32, strides=[704,1]>>
    %none = constant <f32: 0.0> : tile<32x32xf32>
    %vb = make_tensor_view %b, shape = [700, 32], strides = [32, 1] : tensor_view<700x32xf32, strides=[32,1]>
    %pvb = make_partition_view %vb : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf32, strides=[32,1]>>
    %vc = make_tensor_view %c, shape = [32, 700], strides = [704, 1] : tensor_view<32x700xf32, strides=[704,1]>
    %pvc = make_partition_view %vc : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf32, strides=[704,1]>>
    %r:1 = for %i in (%lo to %hi, step %by) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
      %d = subi %i, %lo : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %x = muli %d, %one : tile<i32>
      %fa, %t1 = load_view_tko weak %pva[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf32, strides=[704,1]>>, tile<i32> -> tile<32x16xf32>, token
      %fb, %t2 = load_view_tko weak %pvb[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf32, strides=[32,1]>>, tile<i32> -> tile<16x32xf32>, token
      %fc, %t3 = load_view_tko weak %pvc[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf32, strides=[704,1]>>, tile<i32> -> tile<32x16xf32>, token
      %ta = ftof %fa : tile<32x16xf32> -> tile<32x16xtf32>
      %tb = ftof %fb : tile<16x32xf32> -> tile<16x32xtf32>
      %fd = permute %fc [1, 0] : tile<32x16xf32> -> tile<16x32xf32>
      %tc = ftof %fd : tile<16x32xf32> -> tile<16x32xtf32>
      %m = mmaf %ta, %tb, %acc : tile<32x16xtf32>, tile<16x32xtf32>, tile<32x32xf32>
      %n = mmaf %ta, %tc, %m : tile<32x16xtf32>, tile<16x32xtf32>, tile<32x32xf32>
      continue %n : tile<32x32xf32>
    }
    %vo = make_tensor_view %out, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %pvo = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %done = store_view_tko weak %r#0, %pvo[%zero, %zero] token = %tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
