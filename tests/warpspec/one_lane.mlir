// Two products share A. With a K step of 64 they are 8 MMAs between two waits, for which all lanes of the MMA warp would
// take a branch. One lane runs the role. With a K step of 32 there are 4, and all lanes run it.
// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=nvvm -o - | FileCheck %s
// RUN(ptxas): assemble --gpu-name=sm_100,sm_103 --ptxas=%ptxas %s
// RUN: tile-run --gpu-name=sm_100 --exact --entry=many --grid=1 --arg=f16[40960]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[8192] --arg=i32:5 %s
// RUN: tile-run --gpu-name=sm_100 --exact --entry=many --grid=1 --arg=f16[40960]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[8192] --arg=i32:0 %s
// RUN: tile-run --gpu-name=sm_100 --exact --entry=few --grid=1 --arg=f16[40960]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[8192] --arg=i32:10 %s
// RUN: tile-run --gpu-name=sm_100 --engine=ptx --sync-check --entry=many --grid=1 --arg=f16[40960]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[8192] --arg=i32:5 %s | FileCheck --check-prefix=SYNC %s
// RUN: tile-run --gpu-name=sm_100 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=1 --entry=many --grid=1 --arg=f16[40960]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[8192] --arg=i32:5 %s
// RUN(long): tile-run --gpu-name=sm_103 --exact --diff-engines=interp,tileas,ptx --adversarial --seed=2 --entry=many --grid=1 --arg=f16[40960]=random --arg=f16[20480]=random --arg=f16[20480]=random --arg=f32[8192] --arg=i32:5 %s

// SYNC: nothing found, for all schedules

// The lane is elected where all lanes are, and they meet again.
// CHECK-LABEL: nvvm.func @many
// CHECK-COUNT-3: nvvm.elect.sync
// CHECK: %[[ONE:.*]] = nvvm.elect.sync
// CHECK-NEXT: cf.cond_br %[[ONE]], ^{{.*}}, ^[[DONE:bb[0-9]+]]
// CHECK-NOT: nvvm.bar.warp.sync
// CHECK-COUNT-8: nvvm.tcgen05.mma
// CHECK: ^[[DONE]]:
// CHECK-NEXT: nvvm.bar.warp.sync
// CHECK-LABEL: nvvm.func @few
// CHECK-COUNT-3: nvvm.elect.sync
// CHECK: %[[LANE:.*]] = nvvm.elect.sync
// CHECK-NOT: cf.cond_br %[[LANE]]
// CHECK-COUNT-4: nvvm.tcgen05.mma
cuda_tile.module @m {
  entry @many(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f16>>, %po: tile<ptr<f32>>, %steps: tile<i32>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %c0 = assume div_by<16>, %pc : tile<ptr<f16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %va = make_tensor_view %a0, shape = [128, 320], strides = [320, 1] : tensor_view<128x320xf16, strides=[320,1]>
    %vb = make_tensor_view %b0, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c0, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf16, strides=[64,1]>
    %vo = make_tensor_view %o0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x320xf16, strides=[320,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>
    %tc = make_partition_view %vc : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %sums:2 = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%g = %none, %u = %none) -> (tile<128x64xf32>, tile<128x64xf32>) {
      %a, %t0 = load_view_tko weak %ta[%zero, %i] : partition_view<tile=(128x64), tensor_view<128x320xf16, strides=[320,1]>>, tile<i32> -> tile<128x64xf16>, token
      %b, %t1 = load_view_tko weak %tb[%i, %zero] : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %c, %t2 = load_view_tko weak %tc[%i, %zero] : partition_view<tile=(64x64), tensor_view<320x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %g1 = mmaf %a, %b, %g : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      %u1 = mmaf %a, %c, %u : tile<128x64xf16>, tile<64x64xf16>, tile<128x64xf32>
      continue %g1, %u1 : tile<128x64xf32>, tile<128x64xf32>
    }
    %r = subf %sums#0, %sums#1 : tile<128x64xf32>
    %t3 = store_view_tko weak %r, %to[%zero, %zero] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @few(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %pc: tile<ptr<f16>>, %po: tile<ptr<f32>>, %steps: tile<i32>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %c0 = assume div_by<16>, %pc : tile<ptr<f16>>
    %o0 = assume div_by<16>, %po : tile<ptr<f32>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x64xf32>
    %va = make_tensor_view %a0, shape = [128, 320], strides = [320, 1] : tensor_view<128x320xf16, strides=[320,1]>
    %vb = make_tensor_view %b0, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf16, strides=[64,1]>
    %vc = make_tensor_view %c0, shape = [320, 64], strides = [64, 1] : tensor_view<320x64xf16, strides=[64,1]>
    %vo = make_tensor_view %o0, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x32), tensor_view<128x320xf16, strides=[320,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(32x64), tensor_view<320x64xf16, strides=[64,1]>>
    %tc = make_partition_view %vc : partition_view<tile=(32x64), tensor_view<320x64xf16, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %sums:2 = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%g = %none, %u = %none) -> (tile<128x64xf32>, tile<128x64xf32>) {
      %a, %t0 = load_view_tko weak %ta[%zero, %i] : partition_view<tile=(128x32), tensor_view<128x320xf16, strides=[320,1]>>, tile<i32> -> tile<128x32xf16>, token
      %b, %t1 = load_view_tko weak %tb[%i, %zero] : partition_view<tile=(32x64), tensor_view<320x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %c, %t2 = load_view_tko weak %tc[%i, %zero] : partition_view<tile=(32x64), tensor_view<320x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
      %g1 = mmaf %a, %b, %g : tile<128x32xf16>, tile<32x64xf16>, tile<128x64xf32>
      %u1 = mmaf %a, %c, %u : tile<128x32xf16>, tile<32x64xf16>, tile<128x64xf32>
      continue %g1, %u1 : tile<128x64xf32>, tile<128x64xf32>
    }
    %r = subf %sums#0, %sums#1 : tile<128x64xf32>
    %t3 = store_view_tko weak %r, %to[%zero, %zero] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
