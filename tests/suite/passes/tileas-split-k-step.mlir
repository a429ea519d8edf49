// RUN: tile-opt %s --tileas-split-k-step --gpu-name=sm_80 | FileCheck %s
// RUN: tile-opt %s --tileas-split-k-step --gpu-name=sm_80 --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --tileas-split-k-step='room=131072' --gpu-name=sm_80 | FileCheck %s --check-prefix=ENOUGH
// RUN: not tile-opt %s --tileas-split-k-step='depth=0' --gpu-name=sm_80 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: error: {{.*}}options room and k must be at least 0 and 1, but are 0 and 0
// ENOUGH-NOT: arith.shrui

// Two parts of a depth of 128: the loop runs twice as often, and the offsets along the depth, of the second factor through a permutation, begin in the middle every second time.
// REMARK: remark: K step split from 128 to 64: shared memory now holds the operands of two iterations
// REMARK-NOT: remark:
// CHECK-LABEL: nv_tileas.func @product
// CHECK: %[[LESS:.*]] = arith.cmpi slt, %lo, %hi : i32
// CHECK: %[[TRIPS:.*]] = arith.select %[[LESS]],
// CHECK: %[[WIDE:.*]] = arith.extui %[[TRIPS]] : i32 to i64
// CHECK: %[[END:.*]] = arith.muli %[[WIDE]], %{{.*}} : i64
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %[[END]] step %{{.*}} : i64
// CHECK: %[[I:.*]] = arith.shrui %[[J]], %{{.*}} : i64
// CHECK: %[[PART:.*]] = arith.andi %[[J]], %{{.*}} : i64
// CHECK: %[[DEPTH:.*]] = arith.constant 64 : i64
// CHECK: %[[AT:.*]] = arith.muli %[[PART]], %[[DEPTH]] : i64
// CHECK: nv_tileas.tiled_load %p[%z, %{{.*}}] {{.*}} offset_div = array<i64: 128, 64>{{.*}} -> tensor<128x64xf32>
// CHECK: nv_tileas.tiled_load %q[%z, %{{.*}}] {{.*}} -> tensor<128x64xf32>
// CHECK: nv_tileas.permute {{.*}} : tensor<128x64xf32> -> tensor<64x128xf32>
// CHECK: nv_tileas.dot {{.*}} : tensor<128x64xf32>, tensor<64x128xf32> -> tensor<128x128xf32>
nv_tileas.func @product(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %r: !nv_tileas.ptr<f32>, %lo: i32, %hi: i32, %by: i32, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %k = arith.constant 128 : i64
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %lo to %hi step %by iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %at = arith.muli %w, %k : i64
    %a, %t = nv_tileas.tiled_load %p[%z, %at] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 128>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : !nv_tileas.ptr<f32> -> tensor<128x128xf32>
    %b, %u = nv_tileas.tiled_load %q[%z, %at] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<128x128xf32>
    %c = nv_tileas.permute %b [1, 0] : tensor<128x128xf32> -> tensor<128x128xf32>
    %d = nv_tileas.dot %a, %c, %acc : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.continue %d : tensor<128x128xf32>
  }
  %s = nv_tileas.tiled_store %sum, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A loop that does more than that would do it twice as often, and one whose loads are ordered must not load twice.
// CHECK-LABEL: nv_tileas.func @unchanged_more
// CHECK-NOT: arith.shrui
nv_tileas.func @unchanged_more(%p: !nv_tileas.ptr<f32>, %r: !nv_tileas.ptr<f32>, %hi: i32, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %lo = arith.constant 0 : i32
  %by = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %lo to %hi step %by iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %a, %t = nv_tileas.tiled_load %p[%z, %w] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<128x128xf32>
    %b, %u = nv_tileas.tiled_load %p[%w, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<128x128xf32>
    %d = nv_tileas.dot %a, %b, %acc : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
    %e = arith.addf %d, %d : tensor<128x128xf32>
    scf.continue %e : tensor<128x128xf32>
  }
  %other = scf.for %i = %lo to %hi step %by iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
    %a, %t = nv_tileas.tiled_load %p[%z, %w] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<128x128xf32>
    %b, %u = nv_tileas.tiled_load %p[%w, %z] sizes [%n, %n] strides [%n, %one] token %t {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<128x128xf32>
    %d = nv_tileas.dot %a, %b, %acc : tensor<128x128xf32>, tensor<128x128xf32> -> tensor<128x128xf32>
    scf.continue %d : tensor<128x128xf32>
  }
  %s = nv_tileas.tiled_store %sum, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileas.ptr<f32>
  %v = nv_tileas.tiled_store %other, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
