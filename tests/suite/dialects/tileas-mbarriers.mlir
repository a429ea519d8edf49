// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#shared1 = #nv_tileas.shared<"{shape = [1], offset = []}">

// CHECK-LABEL: nv_tileas.func @bulk(
nv_tileas.func @bulk(%p: !nv_tileas.ptr<f32>, %parity: i32) {
  // CHECK: %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>{{$}}
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  // CHECK: %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>{{$}}
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
  // CHECK: nv_tileas.mbarrier_init %b, 2 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>{{$}}
  nv_tileas.mbarrier_init %b, 2 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
  // CHECK: nv_tileas.mbarrier_arrive %b, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>{{$}}
  nv_tileas.mbarrier_arrive %b, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
  // CHECK: nv_tileas.mbarrier_expect %b, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>{{$}}
  nv_tileas.mbarrier_expect %b, 1024 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
  // CHECK: %t = nv_tileas.bulk_load %m, %p, %b : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1> -> !nv_tileas.mem_token{{$}}
  %t = nv_tileas.bulk_load %m, %p, %b : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1> -> !nv_tileas.mem_token
  // CHECK: %u = nv_tileas.bulk_load %m, %p, %b token(%t : !nv_tileas.mem_token) : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1> -> !nv_tileas.mem_token{{$}}
  %u = nv_tileas.bulk_load %m, %p, %b token(%t : !nv_tileas.mem_token) : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32>, !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1> -> !nv_tileas.mem_token
  // CHECK: nv_tileas.mbarrier_wait %b, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>, i32{{$}}
  nv_tileas.mbarrier_wait %b, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>, i32
  // CHECK: nv_tileas.fence_async{{$}}
  nv_tileas.fence_async
  // CHECK: %fenced = nv_tileas.fence_global %u : !nv_tileas.mem_token -> !nv_tileas.mem_token{{$}}
  %fenced = nv_tileas.fence_global %u : !nv_tileas.mem_token -> !nv_tileas.mem_token
  // CHECK: %v = nv_tileas.bulk_store %m, %p : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32> -> !nv_tileas.mem_token{{$}}
  %v = nv_tileas.bulk_store %m, %p : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32> -> !nv_tileas.mem_token
  // CHECK: %w = nv_tileas.bulk_store %m, %p token(%v : !nv_tileas.mem_token) : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32> -> !nv_tileas.mem_token{{$}}
  %w = nv_tileas.bulk_store %m, %p token(%v : !nv_tileas.mem_token) : !nv_tileas.buffer<32x4xf32, #shared>, !nv_tileas.ptr<f32> -> !nv_tileas.mem_token
  // CHECK: %g = nv_tileas.bulk_commit : !nv_tileas.group{{$}}
  %g = nv_tileas.bulk_commit : !nv_tileas.group
  // CHECK: nv_tileas.bulk_wait 1 for %g : !nv_tileas.group{{$}}
  nv_tileas.bulk_wait 1 for %g : !nv_tileas.group
  // CHECK: nv_tileas.bulk_wait stores 0{{$}}
  nv_tileas.bulk_wait stores 0
  // CHECK: nv_tileas.bulk_wait read 0 for %g : !nv_tileas.group{{$}}
  nv_tileas.bulk_wait read 0 for %g : !nv_tileas.group
  // CHECK: nv_tileas.bulk_wait 0{{$}}
  nv_tileas.bulk_wait 0
  // CHECK: nv_tileas.mbarrier_arrive %b, 1 tensor : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>{{$}}
  nv_tileas.mbarrier_arrive %b, 1 tensor : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
  // CHECK: nv_tileas.mbarrier_arrive %b, 128 copies : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>{{$}}
  nv_tileas.mbarrier_arrive %b, 128 copies : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
  // CHECK: nv_tileas.mbarrier_wait %b, %parity tensor : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>, i32{{$}}
  nv_tileas.mbarrier_wait %b, %parity tensor : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>, i32
  // CHECK: nv_tileas.mma_commit %b : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>{{$}}
  nv_tileas.mma_commit %b : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
  // CHECK: nv_tileas.mbarrier_inval %b : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>{{$}}
  nv_tileas.mbarrier_inval %b : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #shared1>
  nv_tileas.return
}
