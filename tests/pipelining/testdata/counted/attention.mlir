// Two MMAs with a running maximum between them. All numbers are exact.

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
    %low = constant <f32: -100.0> : tile<32xf32>
    %nol = constant <f32: 0.0> : tile<32xf32>
    %half = constant <f32: 0.5> : tile<32xf32>
    %whole = constant <f32: 1.0> : tile<32xf32>
    %least = constant <f32: -8.0> : tile<32x16xf32>
    %r:3 = for %i in (%lo to %hi, step %by) : tile<i32> iter_values(%acc = %none, %max = %low, %sum = %nol) -> (tile<32x32xf32>, tile<32xf32>, tile<32xf32>) {
      %d = subi %i, %lo : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %x = muli %d, %one : tile<i32>
      %tk, %t1 = load_view_tko weak %pvb[%zero, %x] token = %tok : partition_view<tile=(32x16), padding_value = zero, tensor_view<32x700xf16, strides=[704,1]>>, tile<i32> -> tile<32x16xf16>, token
      %s0 = mmaf %q, %tk, %nos : tile<32x32xf16>, tile<32x16xf16>, tile<32x16xf32>
      %m0 = reduce %s0 dim=1 identities=[-100.0 : f32] : tile<32x16xf32> -> tile<32xf32>
      (%u: tile<f32>, %v: tile<f32>) {
        %w = maxf %u, %v : tile<f32>
        yield %w : tile<f32>
      }
      %m1 = maxf %m0, %max : tile<32xf32>
      %grew = cmpf greater_than ordered %m1, %max : tile<32xf32> -> tile<32xi1>
      %alpha = select %grew, %half, %whole : tile<32xi1>, tile<32xf32>
      %m2 = reshape %m1 : tile<32xf32> -> tile<32x1xf32>
      %m3 = broadcast %m2 : tile<32x1xf32> -> tile<32x16xf32>
      %p0 = subf %s0, %m3 : tile<32x16xf32>
      %p1 = maxf %p0, %least : tile<32x16xf32>
      %l0 = reduce %p1 dim=1 identities=[0.0 : f32] : tile<32x16xf32> -> tile<32xf32>
      (%u: tile<f32>, %v: tile<f32>) {
        %w = addf %u, %v : tile<f32>
        yield %w : tile<f32>
      }
      %l1 = mulf %sum, %alpha : tile<32xf32>
      %l2 = addf %l1, %l0 : tile<32xf32>
      %a1 = reshape %alpha : tile<32xf32> -> tile<32x1xf32>
      %a2 = broadcast %a1 : tile<32x1xf32> -> tile<32x32xf32>
      %o0 = mulf %acc, %a2 : tile<32x32xf32>
      %p2 = ftof %p1 : tile<32x16xf32> -> tile<32x16xf16>
      %tv, %t2 = load_view_tko weak %pvc[%x, %zero] token = %tok : partition_view<tile=(16x32), padding_value = zero, tensor_view<700x32xf16, strides=[32,1]>>, tile<i32> -> tile<16x32xf16>, token
      %o1 = mmaf %p2, %tv, %o0 : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
      continue %o1, %m1, %l2 : tile<32x32xf32>, tile<32xf32>, tile<32xf32>
    }
    %vo = make_tensor_view %out, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %pvo = make_partition_view %vo : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %done = store_view_tko weak %r#0, %pvo[%zero, %zero] token = %tok : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    %r32 = constant <i32: 32> : tile<i32>
    %vo32 = make_tensor_view %out, shape = [34, 32], strides = [32, 1] : tensor_view<34x32xf32, strides=[32,1]>
    %pvo32 = make_partition_view %vo32 : partition_view<tile=(1x32), tensor_view<34x32xf32, strides=[32,1]>>
    %line32 = reshape %r#1 : tile<32xf32> -> tile<1x32xf32>
    %done32 = store_view_tko weak %line32, %pvo32[%r32, %zero] token = %tok : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<34x32xf32, strides=[32,1]>>, tile<i32> -> token
    %r33 = constant <i32: 33> : tile<i32>
    %vo33 = make_tensor_view %out, shape = [34, 32], strides = [32, 1] : tensor_view<34x32xf32, strides=[32,1]>
    %pvo33 = make_partition_view %vo33 : partition_view<tile=(1x32), tensor_view<34x32xf32, strides=[32,1]>>
    %line33 = reshape %r#2 : tile<32xf32> -> tile<1x32xf32>
    %done33 = store_view_tko weak %line33, %pvo33[%r33, %zero] token = %tok : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<34x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
