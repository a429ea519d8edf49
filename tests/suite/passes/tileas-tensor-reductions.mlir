// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_90 --tensor-maps=params --remarks 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: tile-opt %s --pass-pipeline="builtin.module(nv_tileas.func(tileas-plan-copies,tileas-materialize-copies))" --gpu-name=sm_90 --tensor-maps=params | FileCheck %s
// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_90 --tensor-maps=none | FileCheck %s --check-prefix=NONE
// RUN: tile-opt %s --tileas-plan-copies --gpu-name=sm_80 --tensor-maps=params | FileCheck %s --check-prefix=NONE
// NONE-NOT: nv_tileas.transfer

// PLAN: remark: update uses TMA: 2 x 32 x 32, 128-byte swizzle
// PLAN: remark: update cannot use TMA: a tensor map has unsigned integers, and the reduction compares signed ones
// PLAN: remark: update cannot use TMA: updates by threads take 4 instructions, a TMA reduction takes
// PLAN: remark: update cannot use TMA: no tensor reduction does 'xchg' with elements of type 'i32'
// PLAN: remark: update cannot use TMA: the hint allow_tma is false
// PLAN: remark: update uses TMA: 2 x 32 x 32

// CHECK-LABEL: nv_tileas.func @sum
// CHECK: nv_tileas.local_store
// CHECK-NEXT: nv_tileas.fence_async
// CHECK-NEXT: nv_tileas.tma_reduce addf
// CHECK: nv_tileas.bulk_wait read 0 for
// CHECK-LABEL: nv_tileas.func @others
// CHECK-NOT: nv_tileas.tma_reduce
// CHECK: nv_tileas.fence_global
// CHECK: nv_tileas.tma_reduce
#rows = #nv_tileas.layout<"{shape = [32, 64], register = [[0, 1], [0, 2], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], warp = [[2, 0], [4, 0]], block = []}">
#few = #nv_tileas.layout<"{shape = [128], register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}">
module {
  nv_tileas.func @sum(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %x = arith.constant dense<1.000000e+00> : tensor<32x64xf32> as tensor<32x64xf32, #rows>
    %t = nv_tileas.tiled_atomic_rmw %x, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {mode = "addf", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>, ordering = "relaxed", scope = "device"} : tensor<32x64xf32, #rows>, !nv_tileas.ptr<f32>
    nv_tileas.return
  }
  nv_tileas.func @others(%p: !nv_tileas.ptr<i32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %z = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %s = arith.extsi %n : i32 to i64
    %x = arith.constant dense<1> : tensor<32x64xi32> as tensor<32x64xi32, #rows>
    %y = arith.constant dense<1> : tensor<128xi32> as tensor<128xi32, #few>
    %t = nv_tileas.tiled_atomic_rmw %x, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {mode = "max", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>, ordering = "relaxed", scope = "device"} : tensor<32x64xi32, #rows>, !nv_tileas.ptr<i32>
    %t1 = nv_tileas.tiled_atomic_rmw %y, %p[%z] sizes [%s] strides [%one] {mode = "add", bounds = array<i1: true>, base_div = 16 : i64, offset_div = array<i64: 64>, size_div = array<i64: 1>, stride_div = array<i64: 1>, ordering = "relaxed", scope = "device"} : tensor<128xi32, #few>, !nv_tileas.ptr<i32>
    %t2 = nv_tileas.tiled_atomic_rmw %x, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {mode = "xchg", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>, ordering = "relaxed", scope = "device"} : tensor<32x64xi32, #rows>, !nv_tileas.ptr<i32>
    %t3 = nv_tileas.tiled_atomic_rmw %x, %p[%z, %z] sizes [%s, %s] strides [%s, %one] {mode = "add", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>, no_tma, ordering = "relaxed", scope = "device"} : tensor<32x64xi32, #rows>, !nv_tileas.ptr<i32>
    %t4 = nv_tileas.tiled_atomic_rmw %x, %p[%z, %z] sizes [%s, %s] strides [%s, %one] token %t3 {mode = "add", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 4, 1>, ordering = "relaxed", scope = "device"} : tensor<32x64xi32, #rows>, !nv_tileas.ptr<i32>
    nv_tileas.return
  }
}
