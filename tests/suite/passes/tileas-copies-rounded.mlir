// RUN: tile-opt %s --pass-pipeline="builtin.module(nv_tileas.func(tileas-assign-layouts,tileas-remove-layout-conversions,tileas-plan-copies,tileas-materialize-copies,tileas-make-async-mma))" --gpu-name=sm_90 --tensor-maps=params | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(nv_tileas.func(tileas-assign-layouts,tileas-remove-layout-conversions,tileas-plan-copies,tileas-materialize-copies,tileas-make-async-mma))" --gpu-name=sm_90 --tensor-maps=none | FileCheck %s --check-prefix=THREADS
// RUN: tile-opt %s --lower-to=ptx --tensor-maps=device --gpu-name=sm_90 | FileCheck %s --check-prefix=DEVICE
// RUN: tile-opt %s --lower-to=ptx --tensor-maps=params --gpu-name=sm_90 --print-artifact=launch | FileCheck %s --check-prefix=LAUNCH

// Bulk tensor copies round f32 to tf32: neither factor is converted by threads. What lies along the columns of B is taken to registers, as the A of the transposed product.
// CHECK-LABEL: nv_tileas.func @nearest
// CHECK-COUNT-2: nv_tileas.tensor_map {{.*}} : !nv_tileas.ptr<f32> -> !nv_tileas.tma_map<{{.*}}xtf32, {{.*}}, rounded>
// CHECK-NOT: arith.ftof
// CHECK: %[[B:.*]] = nv_tileas.local_load {{.*}} -> tensor<32x64xtf32
// CHECK-NOT: nv_tileas.local_store
// CHECK: nv_tileas.dot_async %{{.*}}, %[[B]], %{{.*}} {mma = #nv_tileas.mma<wgmma, m64n128k8, warps = [4, 1], interleave = [2, 1], transposed>} : !nv_tileas.buffer<128x32xtf32
// THREADS-LABEL: nv_tileas.func @nearest
// THREADS: %[[L:.*]] = nv_tileas.local_load {{.*}} -> tensor<32x64xf32, #[[F:.*]]>
// THREADS: %[[B:.*]] = arith.ftof %[[L]] : tensor<32x64xf32, #[[F]]> to tensor<32x64xtf32, #[[F]]>
// THREADS: nv_tileas.dot_async %{{.*}}, %[[B]], %{{.*}} transposed
// DEVICE-LABEL: .entry nearest
// DEVICE: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [{{.*}}], 11;
// LAUNCH: "name": "nearest"
// LAUNCH-COUNT-2: "rounded": true
// LAUNCH: "name": "zero"
// LAUNCH-NOT: "rounded"
nv_tileas.func @nearest(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %r: !nv_tileas.ptr<f32>, %w: i32, %m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %k = arith.constant 32 : i64
  %n = arith.extsi %w : i32 to i64
  %c = arith.constant dense<0.0> : tensor<128x64xf32>
  %s = scf.for %i = %i0 to %m step %i1 iter_args(%acc = %c) -> (tensor<128x64xf32>) : i32 {
    %j = arith.extui %i : i32 to i64
    %place = arith.muli %j, %k : i64
    %a, %at = nv_tileas.tiled_load %p[%z, %place] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<128x32xf32>
    %b, %bt = nv_tileas.tiled_load %q[%place, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32>
    %x = arith.ftof %a : tensor<128x32xf32> to tensor<128x32xtf32>
    %y = arith.ftof %b : tensor<32x64xf32> to tensor<32x64xtf32>
    %d = nv_tileas.dot %x, %y, %acc : tensor<128x32xtf32>, tensor<32x64xtf32> -> tensor<128x64xf32>
    scf.continue %d : tensor<128x64xf32>
  }
  %u = nv_tileas.tiled_store %s, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// They round to the nearest only.
// CHECK-LABEL: nv_tileas.func @zero
// CHECK-NOT: rounded
// CHECK: arith.ftof
// CHECK: arith.ftof
// CHECK: nv_tileas.return
nv_tileas.func @zero(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %r: !nv_tileas.ptr<f32>, %w: i32, %m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %k = arith.constant 32 : i64
  %n = arith.extsi %w : i32 to i64
  %c = arith.constant dense<0.0> : tensor<128x64xf32>
  %s = scf.for %i = %i0 to %m step %i1 iter_args(%acc = %c) -> (tensor<128x64xf32>) : i32 {
    %j = arith.extui %i : i32 to i64
    %place = arith.muli %j, %k : i64
    %a, %at = nv_tileas.tiled_load %p[%z, %place] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<128x32xf32>
    %b, %bt = nv_tileas.tiled_load %q[%place, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32>
    %x = arith.ftof %a {rounding = "zero"} : tensor<128x32xf32> to tensor<128x32xtf32>
    %y = arith.ftof %b {rounding = "zero"} : tensor<32x64xf32> to tensor<32x64xtf32>
    %d = nv_tileas.dot %x, %y, %acc : tensor<128x32xtf32>, tensor<32x64xtf32> -> tensor<128x64xf32>
    scf.continue %d : tensor<128x64xf32>
  }
  %u = nv_tileas.tiled_store %s, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
