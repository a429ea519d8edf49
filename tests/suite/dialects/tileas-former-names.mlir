// Names of one release ago are read, and printed as they are today.
// RUN: tile-opt %s | FileCheck %s

#tile = #nv_tileas.shared<"{shape = [32, 4], offset = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}">
#cells = #nv_tileas.shared<"{shape = [128, 16], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2], [0, 4], [0, 8]]}">

// CHECK-LABEL: @stage
nv_tileas.func @stage(%i: i32) {
  %m = nv_tileas.alloc_shared : !nv_tileas.buffer<3 x [32x4xf32], #tile>
  // CHECK: nv_tileas.buffer_stage %m[%i]
  %s = nv_tileas.buffer_slot %m[%i] : !nv_tileas.buffer<3 x [32x4xf32], #tile>, i32
  nv_tileas.return
}

// CHECK-LABEL: @tmem
nv_tileas.func @tmem() {
  // CHECK: nv_tileas.alloc_tmem at 0 : !nv_tileas.buffer<128x16xf32, #{{.*}}, space = tmem>
  %sum = nv_tileas.alloc_tensor at 0 : !nv_tileas.buffer<128x16xf32, #cells, space = tensor>
  nv_tileas.return
}

// CHECK-LABEL: @transfer
nv_tileas.func @transfer(%p: !nv_tileas.ptr<f16>, %n: i64, %z: i64, %one: i64) {
  // CHECK: nv_tileas.rejected = "why", nv_tileas.transfer = "tma"
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, nv_tileas.refused = "why", nv_tileas.travel = "tma"} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  nv_tileas.return
}
