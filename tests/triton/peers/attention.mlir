// Attention (Dao et al., 2022) of 128 queries of a head in each tile block, 64 keys and values a turn, d = 128; the scale is for powers of two.
cuda_tile.module @m {
entry @k(%q0: tile<ptr<f16>>, %k0: tile<ptr<f16>>, %v0: tile<ptr<f16>>, %o0: tile<ptr<f16>>, %r0: tile<i32>, %t0: tile<i32>, %scale: tile<f32>) {
  %tok = make_token : token
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %keys = constant <i32: 64> : tile<i32>
  %q1 = assume div_by<16>, %q0 : tile<ptr<f16>>
  %k1 = assume div_by<16>, %k0 : tile<ptr<f16>>
  %v1 = assume div_by<16>, %v0 : tile<ptr<f16>>
  %o1 = assume div_by<16>, %o0 : tile<ptr<f16>>
  %t1 = assume bounded<0, ?>, %t0 : tile<i32>
  %t = assume div_by<16>, %t1 : tile<i32>
  %r1 = assume bounded<0, ?>, %r0 : tile<i32>
  %rows = assume div_by<16>, %r1 : tile<i32>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %many = constant <i32: 128> : tile<i32>
  %blocks = divi %t, %many signed rounding<zero> : tile<i32>
  %turns = divi %t, %keys signed rounding<zero> : tile<i32>
  %before = muli %y, %blocks : tile<i32>
  %at = addi %before, %x : tile<i32>
  %first = muli %y, %turns : tile<i32>
  %vq = make_tensor_view %q1, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
  %pq = make_partition_view %vq : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
  %vk = make_tensor_view %k1, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
  %pk = make_partition_view %vk : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>, dim_map=[1, 0]>
  %vv = make_tensor_view %v1, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
  %pv = make_partition_view %vv : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>
  %vo = make_tensor_view %o1, shape = [%rows, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf16, strides=[128,1]>
  %po = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<?x128xf16, strides=[128,1]>>
  %q, %tq = load_view_tko weak %pq[%at, %zero] token = %tok : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<128x128xf16>, token
  %none = constant <f32: 0.0> : tile<128x64xf32>
  %low = constant <f32: 0xFF800000> : tile<128x1xf32>
  %nothing = constant <f32: 0.0> : tile<128x1xf32>
  %start = constant <f32: 0.0> : tile<128x128xf32>
  %scale1 = reshape %scale : tile<f32> -> tile<1x1xf32>
  %scales = broadcast %scale1 : tile<1x1xf32> -> tile<128x64xf32>
  %scalec = broadcast %scale1 : tile<1x1xf32> -> tile<128x1xf32>
  %r:3 = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %start, %total = %nothing, %top = %low) -> (tile<128x128xf32>, tile<128x1xf32>, tile<128x1xf32>) {
    %n = addi %first, %i : tile<i32>
    %kk, %tk = load_view_tko weak %pk[%zero, %n] token = %tok : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>, dim_map=[1, 0]>, tile<i32> -> tile<128x64xf16>, token
      %s = mmaf %q, %kk, %none : tile<128x128xf16>, tile<128x64xf16>, tile<128x64xf32>
    %max = reduce %s dim=1 identities=[0xFF800000 : f32] : tile<128x64xf32> -> tile<128xf32>
    (%ml: tile<f32>, %mr: tile<f32>) {
      %mm = maxf %ml, %mr : tile<f32>
      yield %mm : tile<f32>
    }
    %max1 = reshape %max : tile<128xf32> -> tile<128x1xf32>
    %maxs = mulf %max1, %scalec : tile<128x1xf32>
    %new = maxf %top, %maxs : tile<128x1xf32>
    %news = broadcast %new : tile<128x1xf32> -> tile<128x64xf32>
    %neg = negf %news : tile<128x64xf32>
    %e = fma %s, %scales, %neg : tile<128x64xf32>
    %p = exp2 %e flush_to_zero : tile<128x64xf32>
    %add = reduce %p dim=1 identities=[0.000000e+00 : f32] : tile<128x64xf32> -> tile<128xf32>
    (%al: tile<f32>, %ar: tile<f32>) {
      %aa = addf %al, %ar : tile<f32>
      yield %aa : tile<f32>
    }
    %add1 = reshape %add : tile<128xf32> -> tile<128x1xf32>
    %gone = subf %top, %new : tile<128x1xf32>
    %fade = exp2 %gone flush_to_zero : tile<128x1xf32>
    %total1 = fma %total, %fade, %add1 : tile<128x1xf32>
    %fades = broadcast %fade : tile<128x1xf32> -> tile<128x128xf32>
    %acc1 = mulf %acc, %fades : tile<128x128xf32>
    %vvv, %tv = load_view_tko weak %pv[%n, %zero] token = %tok : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %ph = ftof %p : tile<128x64xf32> -> tile<128x64xf16>
    %acc2 = mmaf %ph, %vvv, %acc1 : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
    continue %acc2, %total1, %new : tile<128x128xf32>, tile<128x1xf32>, tile<128x1xf32>
  }
  %totals = broadcast %r#1 : tile<128x1xf32> -> tile<128x128xf32>
  %o = divf %r#0, %totals rounding<approx> flush_to_zero : tile<128x128xf32>
  %oh = ftof %o : tile<128x128xf32> -> tile<128x128xf16>
  %st = store_view_tko weak %oh, %po[%at, %zero] token = %tok : tile<128x128xf16>, partition_view<tile=(128x128), tensor_view<?x128xf16, strides=[128,1]>>, tile<i32> -> token
  return
}
}
