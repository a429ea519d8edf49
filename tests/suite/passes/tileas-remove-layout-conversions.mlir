// RUN: tile-opt %s --tileas-remove-layout-conversions --gpu-name=sm_90 | FileCheck %s

#a = #nv_tileas.layout<"{shape = [64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []}">
#b = #nv_tileas.layout<"{shape = [64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">
#c = #nv_tileas.layout<"{shape = [64], register = [[2]], lane = [[1], [4], [8], [16], [32]], warp = [], block = []}">

// What all threads can make themselves is made in the layout that is wanted.
// CHECK-LABEL: nv_tileas.func @remade
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: nv_tileas.tiled_store
nv_tileas.func @remade(%p: !nv_tileas.ptr<f32>, %n: i64, %x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = nv_tileas.splat %x : f32 -> tensor<64xf32, #a>
  %t = nv_tileas.convert_layout %s : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %u = nv_tileas.tiled_store %t, %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>} : tensor<64xf32, #b>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A chain is one conversion, and a way there and back is none.
// CHECK-LABEL: nv_tileas.func @chains
// CHECK: %[[X:.*]], %{{.*}} = nv_tileas.tiled_load
// CHECK: %[[C:.*]] = nv_tileas.convert_layout %[[X]]
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: nv_tileas.tiled_store %[[C]]
// CHECK: nv_tileas.tiled_store %[[X]]
nv_tileas.func @chains(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<64xf32, #a>
  %y = nv_tileas.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %w = nv_tileas.convert_layout %y : tensor<64xf32, #b> -> tensor<64xf32, #c>
  %v = nv_tileas.convert_layout %y : tensor<64xf32, #b> -> tensor<64xf32, #a>
  %u = nv_tileas.tiled_store %w, %p[%z] sizes [%n] strides [%one] token %l {bounds = array<i1: true>} : tensor<64xf32, #c>, !nv_tileas.ptr<f32>
  %t = nv_tileas.tiled_store %v, %p[%z] sizes [%n] strides [%one] token %u {bounds = array<i1: true>} : tensor<64xf32, #a>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// What was loaded, or computed from it, has to move.
// CHECK-LABEL: nv_tileas.func @unchanged_loaded
nv_tileas.func @unchanged_loaded(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<64xf32, #a>
  %y = nv_tileas.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %u = nv_tileas.tiled_store %y, %p[%z] sizes [%n] strides [%one] token %l {bounds = array<i1: true>} : tensor<64xf32, #b>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Row numbers are computed again where they are wanted, but not by a division.
// CHECK-LABEL: nv_tileas.func @repeated
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: arith.addi {{.*}} : tensor<64xi32, #[[B:.*]]>
// CHECK: nv_tileas.tiled_store
// CHECK: nv_tileas.convert_layout
// CHECK: nv_tileas.tiled_store
nv_tileas.func @repeated(%p: !nv_tileas.ptr<i32>, %n: i64, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %s = nv_tileas.splat %x : i32 -> tensor<64xi32, #a>
  %r = nv_tileas.make_range : tensor<64xi32, #a>
  %i = arith.addi %r, %s : tensor<64xi32, #a>
  %t = nv_tileas.convert_layout %i : tensor<64xi32, #a> -> tensor<64xi32, #b>
  %u = nv_tileas.tiled_store %t, %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>} : tensor<64xi32, #b>, !nv_tileas.ptr<i32>
  %d = arith.divui %r, %s : tensor<64xi32, #a>
  %v = nv_tileas.convert_layout %d : tensor<64xi32, #a> -> tensor<64xi32, #b>
  %w = nv_tileas.tiled_store %v, %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>} : tensor<64xi32, #b>, !nv_tileas.ptr<i32>
  nv_tileas.return
}
