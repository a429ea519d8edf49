// RUN: tile-opt %s --convert-tileas-to-nvvm --gpu-name=sm_90 | FileCheck %s

#pair = #nv_tileas.layout<"{shape = [64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">
#lines = #nv_tileas.layout<"{shape = [128], register = [[32], [64]], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">

// The size of the object less the tile's offset and the thread's part is one number of 32 bits. Each element compares a constant with it.
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

// Where coordinates and extent provably fit 32 bits, the bound has 32 bits, and so has the index that addresses are computed from.
// CHECK-LABEL: nvvm.func @narrow
// CHECK: %[[AT:.*]] = arith.muli %{{.*}}, %{{.*}} : i32
// CHECK: %[[SUM:.*]] = arith.addi %[[AT]], %{{.*}} : i32
// CHECK: arith.extui %[[SUM]] : i32 to i64
// CHECK: %[[LEFT:.*]] = arith.subi %n, %{{.*}} : i32
// CHECK-NOT: arith.minsi
// CHECK: %[[REST:.*]] = arith.subi %[[LEFT]], %{{.*}} : i32
// CHECK-COUNT-4: arith.cmpi slt, %{{.*}}, %[[REST]] : i32
nv_tileas.func @narrow(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %wide = arith.extsi %n : i32 to i64
  %one = arith.constant 1 : i64
  %c = arith.constant 64 : i64
  %x0, %y0, %z0 = nv_tileas.get_program_id : i32, i32, i32
  %i = arith.extui %x0 : i32 to i64
  %at = arith.muli %i, %c : i64
  %x, %l = nv_tileas.tiled_load %p[%at] sizes [%wide] strides [%one] {padding = "zero", bounds = array<i1: true>, offset_div = array<i64: 128>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #lines>
  %u = nv_tileas.tiled_store %x, %p[%at] sizes [%wide] strides [%one] {bounds = array<i1: false>} : tensor<128xf32, #lines>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Few elements are compared each by itself.
// CHECK-LABEL: nvvm.func @few
// CHECK-COUNT-2: arith.cmpi ult, %{{.*}}, %n : i32
nv_tileas.func @few(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %wide = arith.extsi %n : i32 to i64
  %one = arith.constant 1 : i64
  %c = arith.constant 64 : i64
  %x0, %y0, %z0 = nv_tileas.get_program_id : i32, i32, i32
  %i = arith.extui %x0 : i32 to i64
  %at = arith.muli %i, %c : i64
  %x, %l = nv_tileas.tiled_load %p[%at] sizes [%wide] strides [%one] {padding = "zero", bounds = array<i1: true>, offset_div = array<i64: 64>} : !nv_tileas.ptr<f32> -> tensor<64xf32, #pair>
  %u = nv_tileas.tiled_store %x, %p[%at] sizes [%wide] strides [%one] {bounds = array<i1: false>} : tensor<64xf32, #pair>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Coordinates that need all 32 bits compare without a sign, each by itself after all: what is left may be less than the least number.
// CHECK-LABEL: nvvm.func @no_sign
// CHECK: arith.minsi
// CHECK-COUNT-4: arith.cmpi slt, %{{.*}}, %{{.*}} : i32
nv_tileas.func @no_sign(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %wide = arith.extsi %n : i32 to i64
  %one = arith.constant 1 : i64
  %c = arith.constant 200 : i64
  %x0, %y0, %z0 = nv_tileas.get_program_id : i32, i32, i32
  %i = arith.extui %x0 : i32 to i64
  %at = arith.muli %i, %c : i64
  %x, %l = nv_tileas.tiled_load %p[%at] sizes [%wide] strides [%one] {padding = "zero", bounds = array<i1: true>, offset_div = array<i64: 128>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #lines>
  %u = nv_tileas.tiled_store %x, %p[%at] sizes [%wide] strides [%one] {bounds = array<i1: false>} : tensor<128xf32, #lines>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// The last tile block begins beyond 32 bits.
// CHECK-LABEL: nvvm.func @far
// CHECK-COUNT-2: arith.cmpi ult, %{{.*}}, %{{.*}} : i64
nv_tileas.func @far(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %wide = arith.extsi %n : i32 to i64
  %one = arith.constant 1 : i64
  %c = arith.constant 1024 : i64
  %x0, %y0, %z0 = nv_tileas.get_program_id : i32, i32, i32
  %i = arith.extui %x0 : i32 to i64
  %at = arith.muli %i, %c : i64
  %x, %l = nv_tileas.tiled_load %p[%at] sizes [%wide] strides [%one] {padding = "zero", bounds = array<i1: true>, offset_div = array<i64: 64>} : !nv_tileas.ptr<f32> -> tensor<64xf32, #pair>
  %u = nv_tileas.tiled_store %x, %p[%at] sizes [%wide] strides [%one] {bounds = array<i1: false>} : tensor<64xf32, #pair>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// So may the object end.
// CHECK-LABEL: nvvm.func @large_object
// CHECK-COUNT-2: arith.cmpi ult, %{{.*}}, %{{.*}} : i64
nv_tileas.func @large_object(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %one = arith.constant 1 : i64
  %c = arith.constant 64 : i64
  %x0, %y0, %z0 = nv_tileas.get_program_id : i32, i32, i32
  %i = arith.extui %x0 : i32 to i64
  %at = arith.muli %i, %c : i64
  %x, %l = nv_tileas.tiled_load %p[%at] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>, offset_div = array<i64: 64>} : !nv_tileas.ptr<f32> -> tensor<64xf32, #pair>
  %u = nv_tileas.tiled_store %x, %p[%at] sizes [%n] strides [%one] {bounds = array<i1: false>} : tensor<64xf32, #pair>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
