// RUN: tile-opt %s --tileas-legalize-atomics --gpu-name=sm_90 | FileCheck %s

#own = #nv_tileas.layout<"{shape = [128], register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}">
#copies = #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]], block = []}">

// Four warps hold each element: one adds, and hands the others what was there.
// CHECK-LABEL: nv_tileas.func @copies
// CHECK: %[[R:.*]], %{{.*}} = nv_tileas.atomic_rmw add
// CHECK: nv_tileas.local_store %[[R]], %[[B:.*]] owner
// CHECK: %[[V:.*]] = nv_tileas.local_load %[[B]]
// CHECK: nv_tileas.tiled_store %[[V]]
nv_tileas.func @copies(%p: !nv_tileas.ptr<i32>, %q: !nv_tileas.ptr<i32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i = nv_tileas.make_range : tensor<32xi32, #copies>
  %b = nv_tileas.splat %p : !nv_tileas.ptr<i32> -> tensor<32x!nv_tileas.ptr<i32>, #copies>
  %a = nv_tileas.addptr %b, %i : tensor<32x!nv_tileas.ptr<i32>, #copies>, tensor<32xi32, #copies>
  %old, %t = nv_tileas.atomic_rmw add %a, %i {ordering = "relaxed", scope = "device"} : tensor<32x!nv_tileas.ptr<i32>, #copies>, tensor<32xi32, #copies> -> tensor<32xi32, #copies>, !nv_tileas.mem_token
  %u = nv_tileas.tiled_store %old, %q[%z] sizes [%n] strides [%one] token %t {bounds = array<i1: true>} : tensor<32xi32, #copies>, !nv_tileas.ptr<i32>
  nv_tileas.return
}

// Each thread has elements of its own, or the result has no reader: nothing is handed on.
// CHECK-LABEL: nv_tileas.func @unchanged_own
nv_tileas.func @unchanged_own(%p: !nv_tileas.ptr<i32>, %q: !nv_tileas.ptr<i32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i = nv_tileas.make_range : tensor<128xi32, #own>
  %b = nv_tileas.splat %p : !nv_tileas.ptr<i32> -> tensor<128x!nv_tileas.ptr<i32>, #own>
  %a = nv_tileas.addptr %b, %i : tensor<128x!nv_tileas.ptr<i32>, #own>, tensor<128xi32, #own>
  %old, %t = nv_tileas.atomic_rmw add %a, %i {ordering = "relaxed", scope = "device"} : tensor<128x!nv_tileas.ptr<i32>, #own>, tensor<128xi32, #own> -> tensor<128xi32, #own>, !nv_tileas.mem_token
  %u = nv_tileas.tiled_store %old, %q[%z] sizes [%n] strides [%one] token %t {bounds = array<i1: true>} : tensor<128xi32, #own>, !nv_tileas.ptr<i32>
  nv_tileas.return
}

// CHECK-LABEL: nv_tileas.func @unchanged_unread
nv_tileas.func @unchanged_unread(%p: !nv_tileas.ptr<i32>, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %old, %t = nv_tileas.atomic_rmw add %p, %x {ordering = "relaxed", scope = "device"} : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token
  nv_tileas.return
}
