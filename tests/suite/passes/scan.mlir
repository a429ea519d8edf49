// RUN: tile-opt %s --split-input-file --tileas-assign-layouts | FileCheck %s --check-prefix=AS
// RUN: tile-opt %s --split-input-file --lower-to=nvvm --gpu-name=sm_80 | FileCheck %s --check-prefix=NVVM

// The scanned dimension is in registers, then in lanes, in order; rows go to warps.
// AS: #[[L:.*]] = #nv_tileas.layout<"{shape = [8, 64], register = {{\[}}[0, 1], [4, 0]], lane = {{\[}}[0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], warp = {{\[}}[1, 0], [2, 0]]
// AS-LABEL: nv_tileas.func @rows
// AS: nv_tileas.scan (%{{.*}}) {dim = 1 : i64, reverse} : (tensor<8x64xf32, #[[L]]>) -> tensor<8x64xf32, #[[L]]>
// NVVM-LABEL: nvvm.func @rows
// NVVM-COUNT-12: nvvm.shfl.sync down
// NVVM: nvvm.return
nv_tileas.func @rows(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t, %a = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<8x64xf32>
  %m = nv_tileas.scan (%t) {dim = 1 : i64, reverse} : (tensor<8x64xf32>) -> tensor<8x64xf32> (%x: f32, %y: f32) {
    %q = arith.addf %x, %y : f32
    nv_tileas.yield %q : f32
  }
  %k = nv_tileas.tiled_store %m, %p[%z, %z] sizes [%n, %n] strides [%n, %one] token %a {bounds = array<i1: true, true>} : tensor<8x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// Targets without dependent launches need nothing.
// NVVM-LABEL: nvvm.func @dependent
// NVVM-NOT: griddepcontrol
nv_tileas.func @dependent() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %t = nv_tileas.grid_wait -> !nv_tileas.mem_token
  %u = nv_tileas.grid_launch_dependents %t : !nv_tileas.mem_token -> !nv_tileas.mem_token
  nv_tileas.return
}
