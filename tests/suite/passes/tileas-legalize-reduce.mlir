// RUN: tile-opt %s --tileas-legalize-reduce --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --lower-to=nvvm --gpu-name=sm_90 | FileCheck %s --check-prefix=NVVM

#wide = #nv_tileas.layout<"{shape = [128], register = [], lane = [[1], [2], [4], [8], [16]], warp = [[32], [64]], block = []}">
#lines = #nv_tileas.layout<"{shape = [4, 32], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[1, 0], [2, 0]], block = []}">
#mixed = #nv_tileas.layout<"{shape = [2, 1024], register = [[0, 1], [0, 64], [0, 512], [1, 0]], lane = [[0, 2], [0, 4], [0, 8], [0, 16], [0, 256]], warp = [[0, 32], [0, 128]], block = []}">
#pair = #nv_tileas.layout<"{shape = [2], register = [[1]], lane = [[0], [0], [0], [0], [0]], warp = [[0], [0]], block = []}">
#each = #nv_tileas.layout<"{shape = [4], register = [], lane = [[0], [0], [0], [0], [0]], warp = [[1], [2]], block = []}">

// One line over four warps: each reduces its part, then all get the four results and reduce those.
// CHECK-LABEL: nv_tileas.func @across
// CHECK: nv_tileas.reshape {{.*}} -> tensor<4x32xf32
// CHECK-NEXT: nv_tileas.reduce {{.*}} {dim = 1 : i64}
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

// Whatever lies between and around the bits of the warps is reduced in one step, so that a thread combines its eight elements of a line before the lanes do: five shuffles for each line, of
// values and of indices, and one exchange. Of the results of warps, even lanes combine those of one line, and odd lanes
// those of the other, and hand them on: two shuffles of values and two of indices for three comparisons with two selects.
// NVVM-LABEL: nvvm.func @mixed
// NVVM-COUNT-20: nvvm.shfl.sync bfly
// NVVM-COUNT-4: nvvm.shfl.sync idx
// NVVM-NOT: nvvm.shfl.sync
// NVVM: nvvm.func @end
// CHECK-LABEL: nv_tileas.func @mixed
// CHECK: nv_tileas.reshape {{.*}} -> tensor<2x4x2x2x2x32xf32
// CHECK: nv_tileas.permute {{.*}} [0, 2, 4, 1, 3, 5]
// CHECK: nv_tileas.reshape {{.*}} -> tensor<2x4x256xf32
// CHECK: nv_tileas.reduce {{.*}} {dim = 2 : i64}
// CHECK: nv_tileas.convert_layout {{.*}} -> tensor<2x4xf32
// CHECK: nv_tileas.reduce {{.*}} {dim = 1 : i64}
// CHECK-NOT: nv_tileas.reduce
// CHECK-COUNT-2: nv_tileas.convert_layout {{.*}} : tensor<2x
// CHECK: nv_tileas.func @end
nv_tileas.func @mixed(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<i32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<2x1024xf32, #mixed>
  %b, %s = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<i32> -> tensor<2x1024xi32, #mixed>
  %m, %i = nv_tileas.reduce (%a, %b) {dim = 1 : i64} : (tensor<2x1024xf32, #mixed>, tensor<2x1024xi32, #mixed>) -> (tensor<2xf32, #pair>, tensor<2xi32, #pair>) (%x: f32, %y: f32, %j: i32, %k: i32) {
    %less = arith.cmpf ogt, %x, %y : f32
    %v = arith.select %less, %x, %y : i1, f32
    %w = arith.select %less, %j, %k : i1, i32
    nv_tileas.yield %v, %w : f32, i32
  }
  %u = nv_tileas.tiled_store %m, %p[%z] sizes [%n] strides [%one] token %t {bounds = array<i1: true>} : tensor<2xf32, #pair>, !nv_tileas.ptr<f32>
  %o = nv_tileas.tiled_store %i, %q[%z] sizes [%n] strides [%one] token %s {bounds = array<i1: true>} : tensor<2xi32, #pair>, !nv_tileas.ptr<i32>
  nv_tileas.return
}

nv_tileas.func @end() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileas.return
}
