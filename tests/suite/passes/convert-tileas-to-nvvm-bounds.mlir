// RUN: tile-opt %s --convert-tileas-to-nvvm --gpu-name=sm_90 | FileCheck %s

#lines = #nv_tileas.layout<"{shape = [128], register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">

// What is left of the object behind the tile's offset, less the thread's part, is one number of 32 bits, with which every element compares a constant.
// CHECK-LABEL: nvvm.func @above_zero
// CHECK: arith.minsi
// CHECK: %[[N32:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[REST:.*]] = arith.subi %[[N32]], %{{.*}} : i32
// CHECK-COUNT-4: arith.cmpi slt, %{{.*}}, %[[REST]] : i32
// CHECK-NOT: arith.cmpi ult
// CHECK: nvvm.return
nv_tileas.func @above_zero(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %one = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %x0, %y0, %z0 = nv_tileas.get_program_id : i32, i32, i32
  %i = arith.extui %x0 : i32 to i64
  %at = arith.muli %i, %c128 : i64
  %x, %l = nv_tileas.tiled_load %p[%at] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>, offset_div = array<i64: 128>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #lines>
  %u = nv_tileas.tiled_store %x, %p[%at] sizes [%n] strides [%one] {bounds = array<i1: false>} : tensor<128xf32, #lines>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// An offset of which nothing is known may leave a part of the tile inside from below: each element has its own comparison.
// CHECK-LABEL: nvvm.func @anywhere
// CHECK-NOT: arith.minsi
// CHECK-COUNT-4: arith.cmpi ult, %{{.*}}, %{{.*}} : i64
// CHECK: nvvm.return
nv_tileas.func @anywhere(%p: !nv_tileas.ptr<f32>, %n: i64, %at: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%at] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>, offset_div = array<i64: 64>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #lines>
  %u = nv_tileas.tiled_store %x, %p[%at] sizes [%n] strides [%one] {bounds = array<i1: false>} : tensor<128xf32, #lines>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
