// The outer loop carries the tile.

cuda_tile.module @m {
  entry @k(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f16>>, %table: tile<ptr<i32>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>, %n: tile<i32>) {
    %tok = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %six = constant <i32: 6> : tile<i32>
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<f16>>
    %c = assume div_by<16>, %pc : tile<ptr<f16>>
    %va = make_tensor_view %a, shape = [70, 300], strides = [304, 1] : tensor_view<70x300xf16, strides=[304,1]>
    %pva = make_partition_view %va : partition_view<tile=(32x16), padding_value = zero, tensor_view<70x300xf16, strides=[304,1]>>
    %vb = make_tensor_view %b, shape = [300, 96], strides = [96, 1] : tensor_view<300x96xf16, strides=[96,1]>
    %pvb = make_partition_view %vb : partition_view<tile=(16x32), padding_value = zero, tensor_view<300x96xf16, strides=[96,1]>>
    %vo = make_tensor_view %out, shape = [704, 32], strides = [32, 1] : tensor_view<704x32xf32, strides=[32,1]>
    %pvo = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<704x32xf32, strides=[32,1]>>
    %none = constant <f32: 0.0> : tile<32x32xf32>
    %twice = constant <f32: 2.0> : tile<32x32xf32>
    %r:3 = for %i in (%lo to %hi, step %by) : tile<i32> iter_values(%row = %one, %col = %zero, %done = %tok) -> (tile<i32>, tile<i32>, token) {
      %steps = addi %n, %zero : tile<i32>
      %sum = for %x in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
        %ta, %t1 = load_view_tko weak %pva[%row, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<70x300xf16, strides=[304,1]>>, tile<i32> -> tile<32x16xf16>, token
        %tb, %t2 = load_view_tko weak %pvb[%x, %col] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<300x96xf16, strides=[96,1]>>, tile<i32> -> tile<16x32xf16>, token
        %s = mmaf %ta, %tb, %acc : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
        continue %s : tile<32x32xf32>
      }
      %w = mulf %sum, %twice : tile<32x32xf32>
      %at7 = subi %i, %lo : tile<i32>
      %at8 = divi %at7, %by signed : tile<i32>
      %stored = store_view_tko weak %w, %pvo[%at8, %zero] token = %done : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<704x32xf32, strides=[32,1]>>, tile<i32> -> token
      %r1 = addi %row, %one : tile<i32>
      %r2 = remi %r1, %two signed : tile<i32>
      continue %r2, %row, %stored : tile<i32>, tile<i32>, token
    }
    return
  }
}
