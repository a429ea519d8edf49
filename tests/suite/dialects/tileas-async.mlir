// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#tile = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

// CHECK-LABEL: nv_tileas.func @copies(
nv_tileas.func @copies(%p: !nv_tileas.ptr<f32>, %o: i64, %n: i64) {
  %one = arith.constant 1 : i64
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #tile>
  // CHECK: %t = nv_tileas.copy_async %m, %p[%o, %o] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32>
  %t = nv_tileas.copy_async %m, %p[%o, %o] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.buffer<32x4xf32, #tile>, !nv_tileas.ptr<f32>
  %given = arith.constant true
  // CHECK: nv_tileas.copy_async %m, %p[%o, %o] sizes [%n, %n] strides [%n, %one] token %t if %given {bounds = array<i1: true, true>} : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32>
  %more = nv_tileas.copy_async %m, %p[%o, %o] sizes [%n, %n] strides [%n, %one] token %t if %given {bounds = array<i1: true, true>} : !nv_tileas.buffer<32x4xf32, #tile>, !nv_tileas.ptr<f32>
  // CHECK: %g = nv_tileas.commit_group : !nv_tileas.group
  %g = nv_tileas.commit_group : !nv_tileas.group
  // CHECK: %u = nv_tileas.copy_async %m, %p[%o, %o] sizes [%n, %n] strides [%n, %one] token %t {padding = "zero", bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 1, 4>, size_div = array<i64: 1, 4>, stride_div = array<i64: 4, 1>, latency = 2 : i64, ordering = "weak", objects = #nv_tileaa.objects<arg 0>} : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32>
  %u = nv_tileas.copy_async %m, %p[%o, %o] sizes [%n, %n] strides [%n, %one] token %t {padding = "zero", bounds = array<i1: true, false>, base_div = 16 : i64, offset_div = array<i64: 1, 4>, size_div = array<i64: 1, 4>, stride_div = array<i64: 4, 1>, latency = 2 : i64, ordering = "weak", objects = #nv_tileaa.objects<arg 0>} : !nv_tileas.buffer<32x4xf32, #tile>, !nv_tileas.ptr<f32>
  // CHECK: nv_tileas.wait_group 1 for %g : !nv_tileas.group
  nv_tileas.wait_group 1 for %g : !nv_tileas.group
  // CHECK: nv_tileas.wait_group 0{{$}}
  nv_tileas.wait_group 0
  nv_tileas.return
}

// CHECK-LABEL: @gathers
nv_tileas.func @gathers(%p: !nv_tileas.ptr<f32>, %holds: i1) {
  %ptrs = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<32x4x!nv_tileas.ptr<f32>>
  %mask = nv_tileas.splat %holds : i1 -> tensor<32x4xi1>
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #tile>
  // CHECK: %t = nv_tileas.gather_async %m, %ptrs : !nv_tileas.buffer<32x4xf32, #shared>, tensor<32x4x!nv_tileas.ptr<f32>> -> !nv_tileas.mem_token
  %t = nv_tileas.gather_async %m, %ptrs : !nv_tileas.buffer<32x4xf32, #tile>, tensor<32x4x!nv_tileas.ptr<f32>> -> !nv_tileas.mem_token
  // CHECK: nv_tileas.gather_async %m, %ptrs mask %mask : tensor<32x4xi1> token %t : !nv_tileas.mem_token if %holds : i1 {runs = array<i64: 1, 4>, objects = #nv_tileaa.objects<arg 0>}
  %u = nv_tileas.gather_async %m, %ptrs mask %mask : tensor<32x4xi1> token %t : !nv_tileas.mem_token if %holds : i1 {runs = array<i64: 1, 4>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileas.buffer<32x4xf32, #tile>, tensor<32x4x!nv_tileas.ptr<f32>> -> !nv_tileas.mem_token
  nv_tileas.return
}
