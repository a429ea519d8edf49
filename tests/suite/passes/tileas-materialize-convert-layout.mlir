// RUN: tile-opt %s --tileas-materialize-convert-layout --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --pass-pipeline='builtin.module(nv_tileas.func(tileas-materialize-convert-layout{max-shuffles=0}))' --gpu-name=sm_90 | FileCheck %s --check-prefix=NONE

#lanes = #nv_tileas.layout<"{shape = [64], register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [], block = []}">
#far = #nv_tileas.layout<"{shape = [64], register = [[32]], lane = [[1], [2], [4], [8], [16]], warp = [], block = []}">
#warps = #nv_tileas.layout<"{shape = [128], register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}">
#others = #nv_tileas.layout<"{shape = [128], register = [], lane = [[4], [8], [16], [32], [64]], warp = [[1], [2]], block = []}">
#pairs = #nv_tileas.layout<"{shape = [128], register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [], block = []}">
#swapped = #nv_tileas.layout<"{shape = [128], register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = [], block = []}">

// Between warps there is nothing but shared memory.
// CHECK-LABEL: nv_tileas.func @across_warps
// CHECK-NOT: nv_tileas.convert_layout
// CHECK: nv_tileas.local_store %{{.*}}, %[[B:.*]] : tensor<128xf32, #{{.*}}>, !nv_tileas.buffer<
// CHECK: %[[Y:.*]] = nv_tileas.local_load %[[B]]
// CHECK: nv_tileas.tiled_store %[[Y]]
nv_tileas.func @across_warps(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #warps>
  %y = nv_tileas.convert_layout %x : tensor<128xf32, #warps> -> tensor<128xf32, #others>
  %u = nv_tileas.tiled_store %y, %p[%z] sizes [%n] strides [%one] token %l {bounds = array<i1: true>} : tensor<128xf32, #others>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A few shuffles are cheaper than a buffer and a barrier, if the pass may use them.
// CHECK-LABEL: nv_tileas.func @across_lanes
// CHECK: nv_tileas.convert_layout
// NONE-LABEL: nv_tileas.func @across_lanes
// NONE-NOT: nv_tileas.convert_layout
// NONE: nv_tileas.local_load
nv_tileas.func @across_lanes(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<64xf32, #lanes>
  %y = nv_tileas.convert_layout %x : tensor<64xf32, #lanes> -> tensor<64xf32, #far>
  %u = nv_tileas.tiled_store %y, %p[%z] sizes [%n] strides [%one] token %l {bounds = array<i1: true>} : tensor<64xf32, #far>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Inside a thread a conversion only names registers otherwise, with any option.
// CHECK-LABEL: nv_tileas.func @unchanged_registers
// NONE-LABEL: nv_tileas.func @unchanged_registers
// NONE: nv_tileas.convert_layout
// NONE-NOT: nv_tileas.local
nv_tileas.func @unchanged_registers(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %l = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #pairs>
  %y = nv_tileas.convert_layout %x : tensor<128xf32, #pairs> -> tensor<128xf32, #swapped>
  %u = nv_tileas.tiled_store %y, %p[%z] sizes [%n] strides [%one] token %l {bounds = array<i1: true>} : tensor<128xf32, #swapped>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
