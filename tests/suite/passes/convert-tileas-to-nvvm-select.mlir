// RUN: tile-opt %s --convert-tileas-to-nvvm --gpu-name=sm_90 --split-input-file --verify-diagnostics | FileCheck %s

#rows = #nv_tileas.layout<"{shape = [64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []}">

// A choice of two values is one of each register, a choice of two orders nothing.
// CHECK-LABEL: nvvm.func @choices
// CHECK-COUNT-2: arith.select {{.*}} : i1, f32
// CHECK-NOT: arith.select
nv_tileas.func @choices(%p: !nv_tileas.ptr<f32>, %n: i64, %c: i1, %x: f32) attributes {num_warps = 1 : i32, nv_tileas.shared_bytes = 0 : i32} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %b = nv_tileas.splat %x : f32 -> tensor<64xf32, #rows>
  %a, %t = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] token %s {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<64xf32, #rows>
  %u = arith.select %c, %s, %t : i1, !nv_tileas.mem_token
  %y = arith.select %c, %a, %b : i1, tensor<64xf32, #rows>
  %w = nv_tileas.tiled_store %y, %p[%z] sizes [%n] strides [%one] token %u {bounds = array<i1: true>} : tensor<64xf32, #rows>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
