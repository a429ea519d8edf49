// RUN: tile-opt %s --pass-pipeline="builtin.module(nv_tileas.func(tileas-plan-copies{anything=true},tileas-materialize-copies))" --gpu-name=sm_90 --tensor-maps=params | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(nv_tileas.func(tileas-plan-copies{anything=true},tileas-materialize-copies,tileas-allocate-shared,tileas-insert-barriers))" --gpu-name=sm_90 --tensor-maps=params | FileCheck %s --check-prefix=BARRIERS

// Threads write nothing in the loop: one fence in front of it serves all copies, of both loads.
// CHECK-LABEL: nv_tileas.func @in_front
// CHECK: [[T:%.*]] = nv_tileas.tiled_store
// CHECK: [[FENCED:%.*]] = nv_tileas.fence_global [[T]] : !nv_tileas.mem_token -> !nv_tileas.mem_token
// CHECK-NOT: nv_tileas.fence_global
// CHECK: scf.for {{.*}}[[CARRIED:%.*]] = [[FENCED]]
// CHECK-NOT: nv_tileas.fence_global
// CHECK: nv_tileas.tma_load {{.*}} token([[CARRIED]] :
// CHECK-NOT: nv_tileas.fence_global
// CHECK: nv_tileas.tma_load {{.*}} token([[FENCED]] :
// CHECK-LABEL: nv_tileas.func @inside

// A barrier of all threads stands between their store and the fence of one of them.
// BARRIERS-LABEL: nv_tileas.func @in_front
// BARRIERS: nv_tileas.tiled_store
// BARRIERS: nv_tileas.barrier
// BARRIERS-NEXT: nv_tileas.fence_global
// BARRIERS: nv_tileas.tma_load
// BARRIERS-LABEL: nv_tileas.func @inside

// Each iteration stores: the fence stands in front of the load.
// CHECK: scf.for
// CHECK: [[T:%.*]] = nv_tileas.tiled_store
// CHECK: [[FENCED:%.*]] = nv_tileas.fence_global [[T]] :
// CHECK: nv_tileas.tma_load {{.*}} token([[FENCED]] :

// An acquire needs it as well as a store; what only reads does not.
// CHECK-LABEL: nv_tileas.func @acquired
// CHECK: [[A:%.*]], [[T:%.*]] = nv_tileas.tiled_load {{.*}}ordering = "acquire"
// CHECK: [[FENCED:%.*]] = nv_tileas.fence_global [[T]] :
// CHECK: nv_tileas.tma_load {{.*}} token([[FENCED]] :
// CHECK-LABEL: nv_tileas.func @read
// CHECK-NOT: nv_tileas.fence_global
// CHECK: nv_tileas.tma_load
// CHECK-NOT: nv_tileas.fence_global
#rows = #nv_tileas.layout<"{shape = [32, 64], register = [[0, 1], [0, 2], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], block = []}">
module {
  nv_tileas.func @in_front(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %s = arith.extsi %n : i32 to i64
    %x = arith.constant dense<1.000000e+00> : tensor<32x64xf32> as tensor<32x64xf32, #rows>
    %t = nv_tileas.tiled_store %x, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : tensor<32x64xf32, #rows>, !nv_tileas.ptr<f32>
    %sum, %after = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %x, %u = %t) -> (tensor<32x64xf32, #rows>, !nv_tileas.mem_token) : i32 {
      %k = arith.extsi %i : i32 to i64
      %a, %v = nv_tileas.tiled_load %p[%k, %z] sizes [%s, %s] strides [%s, %one] token %u {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32, #rows>
      %b, %w = nv_tileas.tiled_load %p[%z, %k] sizes [%s, %s] strides [%s, %one] token %t {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 1>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32, #rows>
      %ab = arith.addf %a, %b : tensor<32x64xf32, #rows>
      %next = arith.addf %acc, %ab : tensor<32x64xf32, #rows>
      scf.continue %next, %v : tensor<32x64xf32, #rows>, !nv_tileas.mem_token
    }
    %end = nv_tileas.tiled_store %sum, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %after {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : tensor<32x64xf32, #rows>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @inside(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %s = arith.extsi %n : i32 to i64
    %x = arith.constant dense<1.000000e+00> : tensor<32x64xf32> as tensor<32x64xf32, #rows>
    %sum = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %x) -> (tensor<32x64xf32, #rows>) : i32 {
      %k = arith.extsi %i : i32 to i64
      %t = nv_tileas.tiled_store %acc, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : tensor<32x64xf32, #rows>, !nv_tileas.ptr<f32>
      %a, %v = nv_tileas.tiled_load %p[%k, %z] sizes [%s, %s] strides [%s, %one] token %t {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32, #rows>
      %next = arith.addf %acc, %a : tensor<32x64xf32, #rows>
      scf.continue %next : tensor<32x64xf32, #rows>
    }
    %end = nv_tileas.tiled_store %sum, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : tensor<32x64xf32, #rows>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @acquired(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %f, %t = nv_tileas.tiled_load %q[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>, ordering = "acquire", scope = "device"} : !nv_tileas.ptr<f32> -> tensor<32x64xf32, #rows>
    %a, %v = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %t {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32, #rows>
    %end = nv_tileas.tiled_store %a, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %v {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : tensor<32x64xf32, #rows>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @read(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %f, %t = nv_tileas.tiled_load %q[%z, %z] sizes [%s, %s] strides [%s, %one] {bounds = array<i1: true, true>, no_tma, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32, #rows>
    %a, %v = nv_tileas.tiled_load %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %t {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : !nv_tileas.ptr<f32> -> tensor<32x64xf32, #rows>
    %end = nv_tileas.tiled_store %a, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %v {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>} : tensor<32x64xf32, #rows>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
}
