// Attention of 256 rows on sm_100. Groups of warps took turns with MMAs into TMEM, which one thread starts
// for the rows of all groups.
//
// The scale is 0.1: with 0.125 one of 16,384 bf16 results lies between two numbers, and the engines, which add the
// elements of a row in different orders, round it to different ones.
//
// RUN: tile-run %s --grid=1 --diff-engines=interp,ptx --gpu-name=sm_90,sm_100 --adversarial --seed=1 \
// RUN:   --arg=bf16[1x256x64]=random --arg=bf16[1x256x64]=random --arg=bf16[1x256x64]=random --arg=bf16[1x256x64] \
// RUN:   --arg=i32:1 --arg=i32:256 --arg=i32:16384 --arg=i32:16384 --arg=i32:64 --arg=f32:0.1

cuda_tile.module @m {
  entry @k(%q: tile<ptr<bf16>>, %k: tile<ptr<bf16>>, %v: tile<ptr<bf16>>, %o: tile<ptr<bf16>>, %h: tile<i32>, %s: tile<i32>, %st0_: tile<i32>, %st1_: tile<i32>, %st2_: tile<i32>, %scale: tile<f32>) {
    %t = make_token : token
    %qa = assume div_by<16>, %q : tile<ptr<bf16>>
    %ka = assume div_by<16>, %k : tile<ptr<bf16>>
    %va = assume div_by<16>, %v : tile<ptr<bf16>>
    %oa = assume div_by<16>, %o : tile<ptr<bf16>>
    %sz = assume div_by<16>, %s : tile<i32>
    %st0 = assume div_by<8>, %st0_ : tile<i32>
    %st1 = assume div_by<8>, %st1_ : tile<i32>
    %st2 = assume div_by<8>, %st2_ : tile<i32>
    %dd = constant <i32: 64> : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %bn = constant <i32: 64> : tile<i32>
    %qv = make_tensor_view %qa, shape = [%h, %h, %sz, %dd], strides = [%st0, %st1, %st2, 1] : tile<i32> -> tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>
    %kv = make_tensor_view %ka, shape = [%h, %h, %sz, %dd], strides = [%st0, %st1, %st2, 1] : tile<i32> -> tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>
    %vv = make_tensor_view %va, shape = [%h, %h, %sz, %dd], strides = [%st0, %st1, %st2, 1] : tile<i32> -> tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>
    %ov = make_tensor_view %oa, shape = [%h, %h, %sz, %dd], strides = [%st0, %st1, %st2, 1] : tile<i32> -> tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %qp = make_partition_view %qv : partition_view<tile=(1x1x256x64), tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>>
    %kp = make_partition_view %kv : partition_view<tile=(1x1x64x64), tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>, dim_map=[0, 1, 3, 2]>
    %vp = make_partition_view %vv : partition_view<tile=(1x1x64x64), tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>>
    %op = make_partition_view %ov : partition_view<tile=(1x1x256x64), tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>>
    %q4, %tq = load_view_tko weak %qp[%c0, %y, %x, %c0] token = %t : partition_view<tile=(1x1x256x64), tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>>, tile<i32> -> tile<1x1x256x64xbf16>, token
    %qq = reshape %q4 : tile<1x1x256x64xbf16> -> tile<256x64xbf16>
    %n = divi %sz, %bn signed rounding<positive_inf> : tile<i32>
    %zacc = constant <f32: 0.0> : tile<256x64xf32>
    %zs = constant <f32: 0.0> : tile<256x64xf32>
    %zl = constant <f32: 0.0> : tile<256x1xf32>
    %ninf = constant <f32: 0xFF800000> : tile<256x1xf32>
    %sc1 = reshape %scale : tile<f32> -> tile<1x1xf32>
    %scl = broadcast %sc1 : tile<1x1xf32> -> tile<256x1xf32>
    %scb = broadcast %sc1 : tile<1x1xf32> -> tile<256x64xf32>
    %r:3 = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zacc, %l = %zl, %m = %ninf) -> (tile<256x64xf32>, tile<256x1xf32>, tile<256x1xf32>) {
      %k4, %tk = load_view_tko weak %kp[%c0, %y, %c0, %i] token = %t : partition_view<tile=(1x1x64x64), tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>, dim_map=[0, 1, 3, 2]>, tile<i32> -> tile<1x1x64x64xbf16>, token
      %kk = reshape %k4 : tile<1x1x64x64xbf16> -> tile<64x64xbf16>
      %sraw = mmaf %qq, %kk, %zs : tile<256x64xbf16>, tile<64x64xbf16>, tile<256x64xf32>

      %mx = reduce %sraw dim=1 identities=[0xFF800000 : f32] : tile<256x64xf32> -> tile<256xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %w = maxf %a, %b : tile<f32>
        yield %w : tile<f32>
      }
      %mx1 = reshape %mx : tile<256xf32> -> tile<256x1xf32>
      %mxs = mulf %mx1, %scl : tile<256x1xf32>
      %mn = maxf %m, %mxs : tile<256x1xf32>
      %mb = broadcast %mn : tile<256x1xf32> -> tile<256x64xf32>
      %nm = negf %mb : tile<256x64xf32>
      %e = fma %sraw, %scb, %nm : tile<256x64xf32>
      %p = exp2 %e flush_to_zero : tile<256x64xf32>
      %sm = reduce %p dim=1 identities=[0.000000e+00 : f32] : tile<256x64xf32> -> tile<256xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %w = addf %a, %b : tile<f32>
        yield %w : tile<f32>
      }
      %sm1 = reshape %sm : tile<256xf32> -> tile<256x1xf32>
      %df = subf %m, %mn : tile<256x1xf32>
      %al = exp2 %df flush_to_zero : tile<256x1xf32>
      %ln = fma %l, %al, %sm1 : tile<256x1xf32>
      %ab = broadcast %al : tile<256x1xf32> -> tile<256x64xf32>
      %ac = mulf %acc, %ab : tile<256x64xf32>
      %v4, %tv = load_view_tko weak %vp[%c0, %y, %i, %c0] token = %t : partition_view<tile=(1x1x64x64), tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>>, tile<i32> -> tile<1x1x64x64xbf16>, token
      %vv_ = reshape %v4 : tile<1x1x64x64xbf16> -> tile<64x64xbf16>
      %pc = ftof %p : tile<256x64xf32> -> tile<256x64xbf16>
      %an = mmaf %pc, %vv_, %ac : tile<256x64xbf16>, tile<64x64xbf16>, tile<256x64xf32>
      continue %an, %ln, %mn : tile<256x64xf32>, tile<256x1xf32>, tile<256x1xf32>
    }
    %lb = broadcast %r#1 : tile<256x1xf32> -> tile<256x64xf32>
    %res = divf %r#0, %lb rounding<approx> flush_to_zero : tile<256x64xf32>
    %r4 = reshape %res : tile<256x64xf32> -> tile<1x1x256x64xf32>
    %r5 = ftof %r4 : tile<1x1x256x64xf32> -> tile<1x1x256x64xbf16>
    %so = store_view_tko weak %r5, %op[%c0, %y, %x, %c0] token = %t : tile<1x1x256x64xbf16>, partition_view<tile=(1x1x256x64), tensor_view<?x?x?x?xbf16, strides=[?,?,?,1]>>, tile<i32> -> token
    return
  }
}