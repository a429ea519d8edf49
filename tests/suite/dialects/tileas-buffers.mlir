// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#tile = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#half = #nv_tileas.shared<"{shape = [16, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0]]}">
#turned = #nv_tileas.shared<"{shape = [4, 16], offset = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4], [0, 8]]}">
#flat = #nv_tileas.shared<"{shape = [128], offset = [[1], [2], [4], [8], [16], [32], [64]]}">
#one = #nv_tileas.shared<"{shape = [1], offset = []}">

// One slot in shared memory goes without saying.
// CHECK-LABEL: nv_tileas.func @buffers(%i: i32, %c: i1) {
nv_tileas.func @buffers(%i: i32, %c: i1) {
  // CHECK: %m = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [32x4xf32], #shared>
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [32x4xf32], #tile>
  // CHECK: %one = nv_tileas.alloc_shared at 1536 : !nv_tileas.buffer<32x4xf32, #shared>
  %one = nv_tileas.alloc_shared at 1536 : !nv_tileas.buffer<1 x [32x4xf32], #tile, space = shared>
  // CHECK: %s = nv_tileas.buffer_stage %m[%i] : !nv_tileas.buffer<3 x [32x4xf32], #shared>, i32
  %s = nv_tileas.buffer_stage %m[%i] : !nv_tileas.buffer<3 x [32x4xf32], #tile>, i32
  // CHECK: nv_tileas.buffer_stage %m[%i + 2] : !nv_tileas.buffer<3 x [32x4xf32], #shared>, i32
  %further = nv_tileas.buffer_stage %m[%i + 2] : !nv_tileas.buffer<3 x [32x4xf32], #tile>, i32
  // CHECK: %p = nv_tileas.buffer_slice %s [16, 0] : !nv_tileas.buffer<32x4xf32, #shared> -> !nv_tileas.buffer<16x4xf32, #shared1>
  %p = nv_tileas.buffer_slice %s [16, 0] : !nv_tileas.buffer<32x4xf32, #tile> -> !nv_tileas.buffer<16x4xf32, #half>
  // CHECK: %t = nv_tileas.buffer_permute %p [1, 0] : !nv_tileas.buffer<16x4xf32, #shared1> -> !nv_tileas.buffer<4x16xf32, #shared2>
  %t = nv_tileas.buffer_permute %p [1, 0] : !nv_tileas.buffer<16x4xf32, #half> -> !nv_tileas.buffer<4x16xf32, #turned>
  // CHECK: %f = nv_tileas.buffer_reinterpret %s : !nv_tileas.buffer<32x4xf32, #shared> -> !nv_tileas.buffer<128xi32, #shared3>
  %f = nv_tileas.buffer_reinterpret %s : !nv_tileas.buffer<32x4xf32, #tile> -> !nv_tileas.buffer<128xi32, #flat>
  // CHECK: %x = arith.select %c, %s, %one : i1, !nv_tileas.buffer<32x4xf32, #shared>
  %x = arith.select %c, %s, %one : i1, !nv_tileas.buffer<32x4xf32, #tile>
  // CHECK: nv_tileas.dealloc_shared %m : !nv_tileas.buffer<3 x [32x4xf32], #shared>
  nv_tileas.dealloc_shared %m : !nv_tileas.buffer<3 x [32x4xf32], #tile>
  // CHECK: nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #shared4>
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<2 x [1x!nv_tileas.mbarrier], #one>
  nv_tileas.return
}
