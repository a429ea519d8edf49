// RUN: tile-opt %s --tileas-legalize-reduce --gpu-name=sm_90 | FileCheck %s

#wide = #nv_tileas.layout<"{shape = [128], register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}">
#lines = #nv_tileas.layout<"{shape = [4, 32], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]], block = []}">
#each = #nv_tileas.layout<"{shape = [4], register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]], block = []}">

// One line over four warps: each reduces its part, then all get the four results and reduce those.
// CHECK-LABEL: nv_tileas.func @across
// CHECK: nv_tileas.reshape {{.*}} -> tensor<1x4x32xf32
// CHECK: nv_tileas.reduce {{.*}} {dim = 2 : i64}
// CHECK: nv_tileas.convert_layout {{.*}} : tensor<4xf32
// CHECK: nv_tileas.reduce {{.*}} {dim = 0 : i64} : (tensor<4xf32{{.*}}) -> f32
// CHECK-NOT: nv_tileas.reduce
nv_tileas.func @across(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %t = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<128xf32, #wide>
  %m = nv_tileas.reduce (%a) {dim = 0 : i64} : (tensor<128xf32, #wide>) -> f32 (%x: f32, %y: f32) {
    %q = arith.maximumf %x, %y : f32
    nv_tileas.yield %q : f32
  }
  %u = nv_tileas.store %p, %m token %t : !nv_tileas.mem_token : !nv_tileas.ptr<f32>, f32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// Each warp has a line of its own: shuffles will do.
// CHECK-LABEL: nv_tileas.func @unchanged_lines
nv_tileas.func @unchanged_lines(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<4x32xf32, #lines>
  %m = nv_tileas.reduce (%a) {dim = 1 : i64} : (tensor<4x32xf32, #lines>) -> tensor<4xf32, #each> (%x: f32, %y: f32) {
    %q = arith.maximumf %x, %y : f32
    nv_tileas.yield %q : f32
  }
  %u = nv_tileas.tiled_store %m, %p[%z] sizes [%n] strides [%one] token %t {bounds = array<i1: true>} : tensor<4xf32, #each>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
