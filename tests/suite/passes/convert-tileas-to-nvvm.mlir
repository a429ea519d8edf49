// RUN: tile-opt %s --convert-tileas-to-nvvm --gpu-name=sm_90 --split-input-file | FileCheck %s

#rows = #nv_tileas.layout<"{shape = [64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []}">

// A choice of two values is one of each register, a choice of two orders nothing.
// CHECK-LABEL: nvvm.func @choices
// CHECK-COUNT-2: arith.select {{.*}} : i1, f32
// CHECK-NOT: arith.select
// CHECK: nvvm.bar.warp.sync
nv_tileas.func @choices(%p: !nv_tileas.ptr<f32>, %n: i64, %c: i1, %x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %b = nv_tileas.splat %x : f32 -> tensor<64xf32, #rows>
  %a, %t = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] token %s {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<64xf32, #rows>
  %u = arith.select %c, %s, %t : i1, !nv_tileas.mem_token
  %y = arith.select %c, %a, %b : i1, tensor<64xf32, #rows>
  nv_tileas.barrier
  %w = nv_tileas.tiled_store %y, %p[%z] sizes [%n] strides [%one] token %u {bounds = array<i1: true>} : tensor<64xf32, #rows>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

#rows = #nv_tileas.layout<"{shape = [64, 2], register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0]], block = []}">
#row = #nv_tileas.layout<"{shape = [64], register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32]], block = []}">

// A line that a thread holds alone is added in its registers: no shuffles, no shared memory.
// CHECK-LABEL: nvvm.func @own_lines
// CHECK-NOT: nvvm.shfl
// CHECK-NOT: nvvm.barrier
// CHECK: arith.addf
// CHECK-NOT: nvvm.shfl
// CHECK: nvvm.return
nv_tileas.func @own_lines(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>, nv_tileas.shared_bytes = 0 : i32} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %two] strides [%two, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<64x2xf32, #rows>
  %m = nv_tileas.reduce (%a) {dim = 1 : i64} : (tensor<64x2xf32, #rows>) -> tensor<64xf32, #row> (%x: f32, %y: f32) {
    %q = arith.addf %x, %y : f32
    nv_tileas.yield %q : f32
  }
  %s = nv_tileas.tiled_store %m, %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>} : tensor<64xf32, #row>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

#warp = #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">

// One that is spread over a warp takes five exchanges.
// CHECK-LABEL: nvvm.func @across_lanes
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl
// CHECK: nvvm.return
nv_tileas.func @across_lanes(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %t = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<32xf32, #warp>
  %m = nv_tileas.reduce (%a) {dim = 0 : i64} : (tensor<32xf32, #warp>) -> f32 (%x: f32, %y: f32) {
    %q = arith.addf %x, %y : f32
    nv_tileas.yield %q : f32
  }
  %s = nv_tileas.store %p, %m : !nv_tileas.ptr<f32>, f32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

#columns = #nv_tileas.layout<"{shape = [32, 8], register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [], block = []}">
#each = #nv_tileas.layout<"{shape = [8], register = [[1], [2], [4]], lane = [[0], [0], [0], [0], [0]], warp = [], block = []}">

// Of eight lines, the lanes of a pair take four each, then two, then one. Two exchanges finish each line, and all lanes
// read all lines: 4 + 2 + 1 + 2 + 8 shuffles, not 40.
// CHECK-LABEL: nvvm.func @lines_across_lanes
// CHECK-COUNT-9: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync bfly
// CHECK-COUNT-8: nvvm.shfl.sync idx {{.*}} {segment = 24 : i32}
// CHECK-NOT: nvvm.shfl
// CHECK: nvvm.return
nv_tileas.func @lines_across_lanes(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>, nv_tileas.shared_bytes = 0 : i32} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<32x8xf32, #columns>
  %m = nv_tileas.reduce (%a) {dim = 0 : i64} : (tensor<32x8xf32, #columns>) -> tensor<8xf32, #each> (%x: f32, %y: f32) {
    %q = arith.addf %x, %y : f32
    nv_tileas.yield %q : f32
  }
  %s = nv_tileas.tiled_store %m, %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>} : tensor<8xf32, #each>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

#pairs = #nv_tileas.layout<"{shape = [64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []}">

// Neighbours that a thread has are added by one operation, as far as the runs of their addresses go.
// CHECK-LABEL: nvvm.func @additions
// CHECK-NOT: nvvm.atom
// CHECK: nvvm.red %{{.*}}, %[[X:.*]], %[[X]] {ordering = "relaxed", scope = "gpu"} : !nvvm.ptr<1>, f32, f32
// CHECK-NOT: nvvm.red
// CHECK-LABEL: nvvm.func @single_additions
nv_tileas.func @additions(%p: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %s = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<64x!nv_tileas.ptr<f32>, #pairs>
  %i = nv_tileas.make_range : tensor<64xi32, #pairs>
  %a = nv_tileas.addptr %s, %i : tensor<64x!nv_tileas.ptr<f32>, #pairs>, tensor<64xi32, #pairs>
  %x = arith.constant dense<1.0> : tensor<64xf32> as tensor<64xf32, #pairs>
  %o, %t = nv_tileas.atomic_rmw addf %a, %x {runs = array<i64: 4>, ordering = "relaxed", scope = "device"} : tensor<64x!nv_tileas.ptr<f32>, #pairs>, tensor<64xf32, #pairs> -> tensor<64xf32, #pairs>, !nv_tileas.mem_token
  nv_tileas.return
}
// CHECK-COUNT-2: nvvm.atom add
nv_tileas.func @single_additions(%p: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %s = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<64x!nv_tileas.ptr<f32>, #pairs>
  %i = nv_tileas.make_range : tensor<64xi32, #pairs>
  %a = nv_tileas.addptr %s, %i : tensor<64x!nv_tileas.ptr<f32>, #pairs>, tensor<64xi32, #pairs>
  %x = arith.constant dense<1.0> : tensor<64xf32> as tensor<64xf32, #pairs>
  %o, %t = nv_tileas.atomic_rmw addf %a, %x {ordering = "relaxed", scope = "device"} : tensor<64x!nv_tileas.ptr<f32>, #pairs>, tensor<64xf32, #pairs> -> tensor<64xf32, #pairs>, !nv_tileas.mem_token
  nv_tileas.return
}
