// RUN: tile-opt %s --tileas-pipeline-loops --gpu-name=sm_90 | FileCheck %s

// Nothing stands behind the loop inside but the end of the iteration, which the loop around gets anew: it is filled ahead all the same.
// CHECK-LABEL: nv_tileas.func @nothing_behind
// CHECK: scf.if
// CHECK: nv_tileas.tiled_load
// CHECK: scf.for
// CHECK: scf.for
#l = #nv_tileas.layout<"{shape = [32], register = [], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">
nv_tileas.func @nothing_behind(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %n: i32, %m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %one = arith.constant 1 : i64
  %s = arith.constant 4096 : i64
  %t0 = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %r = scf.for %i = %z to %n step %o iter_args(%t = %t0) -> (!nv_tileas.mem_token) : i32 {
    %c = scf.for %j = %z to %m step %o iter_args(%u = %t) -> (!nv_tileas.mem_token) : i32 {
      %k = arith.addi %i, %j : i32
      %w = arith.extsi %k : i32 to i64
      %x, %xt = nv_tileas.tiled_load %p[%w] sizes [%s] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<32xf32, #l>
      %y = arith.addf %x, %x : tensor<32xf32, #l>
      %st = nv_tileas.tiled_store %y, %q[%w] sizes [%s] strides [%one] token %u {bounds = array<i1: true>} : tensor<32xf32, #l>, !nv_tileas.ptr<f32>
      scf.continue %st : !nv_tileas.mem_token
    } {nv_tileas.schedule = #nv_tileas.schedule<ii = 265, unit = 1, at = [0, 0, 0, 500, 520]>}
    scf.continue %c : !nv_tileas.mem_token
  } {nv_tileas.fill_ahead}
  nv_tileas.return
}
