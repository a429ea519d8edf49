// RUN: tile-opt %s --gpu-name=sm_100 --lower-to=loops-scheduled --print-after=tileas-specialize-warps -o - 2>&1 | FileCheck %s

// Threads scale what the MMA warp computes. They load the scales of later iterations before they wait for the MMA of this
// one: memory takes longer than an iteration.
// CHECK-LABEL: nv_tileas.func @scaled
// CHECK: role "compute"
// CHECK: scf.if
// CHECK: %[[FIRST:.*]], %{{.*}} = nv_tileas.tiled_load %ps
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[NOW:.*]] = %[[FIRST]]
// CHECK: %[[LATER:.*]], %{{.*}} = nv_tileas.tiled_load %ps
// CHECK: nv_tileas.pipe_wait
// CHECK: nv_tileas.broadcast %[[NOW]]
// CHECK: scf.continue {{.*}}%[[LATER]]
// CHECK: role "load"
cuda_tile.module @m {
  entry @scaled(%pa: tile<ptr<f16>>, %pb: tile<ptr<f16>>, %ps: tile<ptr<f32>>, %out: tile<ptr<f32>>, %blocks: tile<i32>) {
    %a0 = assume div_by<16>, %pa : tile<ptr<f16>>
    %b0 = assume div_by<16>, %pb : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %va = make_tensor_view %a0, shape = [128, 4096], strides = [4096, 1] : tensor_view<128x4096xf16, strides=[4096,1]>
    %vb = make_tensor_view %b0, shape = [4096, 128], strides = [128, 1] : tensor_view<4096x128xf16, strides=[128,1]>
    %vs = make_tensor_view %ps, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %vo = make_tensor_view %out, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>
    %ts = make_partition_view %vs : partition_view<tile=(128x1), tensor_view<128x64xf32, strides=[64,1]>>
    %to = make_partition_view %vo : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %r = for %i in (%zero to %blocks, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x128xf32>) {
      %a, %t1 = load_view_tko weak %ta[%zero, %i] : partition_view<tile=(128x64), tensor_view<128x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<128x64xf16>, token
      %b, %t2 = load_view_tko weak %tb[%i, %zero] : partition_view<tile=(64x128), tensor_view<4096x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %d = mmaf %a, %b, %none : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      %s, %t3 = load_view_tko weak %ts[%zero, %i] : partition_view<tile=(128x1), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> tile<128x1xf32>, token
      %w = broadcast %s : tile<128x1xf32> -> tile<128x128xf32>
      %p = mulf %d, %w : tile<128x128xf32>
      %n = addf %acc, %p : tile<128x128xf32>
      continue %n : tile<128x128xf32>
    }
    %t = store_view_tko weak %r, %to[%zero, %zero] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
