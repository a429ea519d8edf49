// Three MMAs, each of which takes what the one before computed.

cuda_tile.module @m {
  entry @k(%out: tile<ptr<f32>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f16>>, %lo: tile<i32>, %hi: tile<i32>, %by: tile<i32>) {
    %tok = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %a = assume div_by<16>, %pa : tile<ptr<f16>>
    %b = assume div_by<16>, %pb : tile<ptr<f16>>
    %c = assume div_by<16>, %pc : tile<ptr<f16>>
    %vq = make_tensor_view %a, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf16, strides=[32,1]>
    %pvq = make_partition_view %vq : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32,1]>>
    %q, %tq = load_view_tko weak %pvq[%zero, %zero] token = %tok : partition_view<tile=(32x32), tensor_view<32x32xf16, strides=[32,1]>>, tile<i32> -> tile<32x32xf16>, token
    %vb = make_tensor_view %b, shape = [32, 700], strides = [704, 1] : tensor_view<32x700xf16, strides=[704,1]>
    %pvb = make_partition_view %vb : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>
    %vc = make_tensor_view %c, shape = [700, 32], strides = [32, 1] : tensor_view<700x32xf16, strides=[32,1]>
    %pvc = make_partition_view %vc : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>
    %none = constant <f32: 0.0> : tile<32x32xf32>
    %nos = constant <f32: 0.0> : tile<32x16xf32>
    %vd = make_tensor_view %a, shape = [1400, 32], strides = [8, 1] : tensor_view<1400x32xf16, strides=[8,1]>
    %pvd = make_partition_view %vd : partition_view<tile=(32x32), padding_value = zero, tensor_view<1400x32xf16, strides=[8,1]>>
    %low = constant <f32: -2.0> : tile<32x16xf32>
    %least = constant <f32: -3.0> : tile<32x32xf32>
    %most = constant <f32: 3.0> : tile<32x32xf32>
    %r:1 = for %i in (%lo to %hi, step %by) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
      %d = subi %i, %lo : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %x = muli %d, %one : tile<i32>
      %tk, %t1 = load_view_tko weak %pvb[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>, tile<i32> -> tile<32x16xf16>, token
      %s0 = mmaf %q, %tk, %nos : tile<32x32xf16>, tile<32x16xf16>, tile<32x16xf32>
      %s1 = maxf %s0, %low : tile<32x16xf32>
      %s2 = ftof %s1 : tile<32x16xf32> -> tile<32x16xf16>
      %tv, %t2 = load_view_tko weak %pvc[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x32xf16>, token
      %u0 = mmaf %s2, %tv, %none : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
      %u1 = maxf %u0, %least : tile<32x32xf32>
      %u2 = minf %u1, %most : tile<32x32xf32>
      %u3 = ftof %u2 : tile<32x32xf32> -> tile<32x32xf16>
      %tw, %t3 = load_view_tko weak %pvd[%x, %zero] token = %tok : partition_view<tile=(32x32), padding_value = zero, tensor_view<1400x32xf16, strides=[8,1]>>, tile<i32> -> tile<32x32xf16>, token
      %n = mmaf %u3, %tw, %acc : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %n : tile<32x32xf32>
    }
    %vo = make_tensor_view %out, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %pvo = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %done = store_view_tko weak %r#0, %pvo[%zero, %zero] token = %tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
