// RUN: tile-opt %s | tile-opt - | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt - | FileCheck %s

// Layouts, and the operations that only nv_tileas has, in both forms.

#layout = #nv_tileas.layout<"{shape = [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#layout1 = #nv_tileas.layout<"{shape = [32, 4], register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#shared = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">

// CHECK-LABEL: nv_tileas.func @layouts(%f: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 1024 : i32} {
nv_tileas.func @layouts(%f: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 1024 : i32} {
  // CHECK: %a = nv_tileas.splat %f : f32 -> tensor<32x4xf32, #layout>
  %a = nv_tileas.splat %f : f32 -> tensor<32x4xf32, #layout>
  // CHECK: %b = nv_tileas.convert_layout %a : tensor<32x4xf32, #layout> -> tensor<32x4xf32, #layout1>
  %b = nv_tileas.convert_layout %a : tensor<32x4xf32, #layout> -> tensor<32x4xf32, #layout1>
  // CHECK: %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<32x4xf32, #shared>
  // CHECK: %n = nv_tileas.alloc_shared at 512 {note = "kept"} : !nv_tileas.buffer<32x4xf32, #shared>
  %n = nv_tileas.alloc_shared at 512 {note = "kept"} : !nv_tileas.buffer<32x4xf32, #shared>
  // CHECK: nv_tileas.local_store %a, %m : tensor<32x4xf32, #layout>, !nv_tileas.buffer<32x4xf32, #shared>
  nv_tileas.local_store %a, %m : tensor<32x4xf32, #layout>, !nv_tileas.buffer<32x4xf32, #shared>
  // CHECK: nv_tileas.local_store %a, %n owner : tensor<32x4xf32, #layout>, !nv_tileas.buffer<32x4xf32, #shared>
  nv_tileas.local_store %a, %n owner : tensor<32x4xf32, #layout>, !nv_tileas.buffer<32x4xf32, #shared>
  // CHECK: nv_tileas.barrier
  nv_tileas.barrier
  // CHECK: %c = nv_tileas.local_load %m : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<32x4xf32, #layout1>
  %c = nv_tileas.local_load %m : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<32x4xf32, #layout1>
  // CHECK: %part = nv_tileas.local_load %m from [16, 0] : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<16x4xf32>
  %part = nv_tileas.local_load %m from [16, 0] : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<16x4xf32>
  // CHECK: %step = nv_tileas.local_load %m from [0, 2] + %at along 0 : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<16x2xf32>
  %at = arith.constant 16 : i32
  %step = nv_tileas.local_load %m from [0, 2] + %at along 0 : !nv_tileas.buffer<32x4xf32, #shared> -> tensor<16x2xf32>
  // CHECK: nv_tileas.return
  nv_tileas.return
}
