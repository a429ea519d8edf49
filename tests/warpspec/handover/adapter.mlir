// The product that follows the loop takes A from threads, and adds to the sum of the loop. So no thread waits for that
// sum, and one warp starts all MMAs.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=tileas --remarks -o - 2>&1 | FileCheck --check-prefix=ROLES %s
// RUN: tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --grid=1 --arg=f16[24576]=random --arg=f16[24576]=random --arg=f16[6144]=random --arg=f16[4096]=random --arg=f32[16384] --arg=i32:3 %s
// RUN: tile-run --gpu-name=sm_100 --engine=ptx --sync-check --grid=1 --arg=f16[24576]=random --arg=f16[24576]=random --arg=f16[6144]=random --arg=f16[4096]=random --arg=f32[16384] --arg=i32:3 %s | FileCheck --check-prefix=SYNC %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --grid=1 --arg=f16[24576]=random --arg=f16[24576]=random --arg=f16[6144]=random --arg=f16[4096]=random --arg=f32[16384] --arg=i32:3 %s
// RUN(long): tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=2 --grid=1 --arg=f16[24576]=random --arg=f16[24576]=random --arg=f16[6144]=random --arg=f16[4096]=random --arg=f32[16384] --arg=i32:0 %s

// ROLES: warp-specialized: 4 consumer warps, 1 producer warp, 1 MMA warp, {{.*}}1 handed back and forth
// SYNC: nothing found, for all schedules
cuda_tile.module @m {
  entry @k(%px: tile<ptr<f16>>, %pw: tile<ptr<f16>>, %pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %out: tile<ptr<f32>>, %steps: tile<i32>) {
    %x0 = assume div_by<16>, %px : tile<ptr<f16>>
    %w0 = assume div_by<16>, %pw : tile<ptr<f16>>
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %o0 = assume div_by<16>, %out : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %few = constant <f32: 0.0> : tile<128x32xf32>
    %quarter = constant <f32: 0.25> : tile<128x32xf32>
    %vx = make_tensor_view %x0, shape = [128, 192], strides = [192, 1] : tensor_view<128x192xf16, strides=[192,1]>
    %tx = make_partition_view %vx : partition_view<tile=(128x64), tensor_view<128x192xf16, strides=[192,1]>>
    %vw = make_tensor_view %w0, shape = [192, 128], strides = [128, 1] : tensor_view<192x128xf16, strides=[128,1]>
    %tw = make_partition_view %vw : partition_view<tile=(64x128), tensor_view<192x128xf16, strides=[128,1]>>
    %va = make_tensor_view %a0, shape = [192, 32], strides = [32, 1] : tensor_view<192x32xf16, strides=[32,1]>
    %ta = make_partition_view %va : partition_view<tile=(64x32), tensor_view<192x32xf16, strides=[32,1]>>
    %vb = make_tensor_view %b0, shape = [32, 128], strides = [128, 1] : tensor_view<32x128xf16, strides=[128,1]>
    %tb = make_partition_view %vb : partition_view<tile=(32x128), tensor_view<32x128xf16, strides=[128,1]>>
    %vo = make_tensor_view %o0, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %r:2 = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none, %low = %few) -> (tile<128x128xf32>, tile<128x32xf32>) {
      %x, %k0 = load_view_tko weak %tx[%zero, %i] : partition_view<tile=(128x64), tensor_view<128x192xf16, strides=[192,1]>>, tile<i32> -> tile<128x64xf16>, token
      %w, %k1 = load_view_tko weak %tw[%i, %zero] : partition_view<tile=(64x128), tensor_view<192x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %a, %k2 = load_view_tko weak %ta[%i, %zero] : partition_view<tile=(64x32), tensor_view<192x32xf16, strides=[32,1]>>, tile<i32> -> tile<64x32xf16>, token
      %s = mmaf %x, %w, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      %l = mmaf %x, %a, %low : tile<128x64xf16>, tile<64x32xf16>, tile<128x32xf32>
      continue %s, %l : tile<128x128xf32>, tile<128x32xf32>
    }
    %b, %k3 = load_view_tko weak %tb[%zero, %zero] : partition_view<tile=(32x128), tensor_view<32x128xf16, strides=[128,1]>>, tile<i32> -> tile<32x128xf16>, token
    %part = mulf %r#1, %quarter : tile<128x32xf32>
    %h = ftof %part : tile<128x32xf32> -> tile<128x32xf16>
    %y = mmaf %h, %b, %r#0 : tile<128x32xf16>, tile<32x128xf16>, tile<128x128xf32>
    %t = store_view_tko weak %y, %to[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
