// RUN: tile-opt %s --tileas-assign-layouts --tileas-legalize-reduce | FileCheck %s

// Four warps share the reduced dimension: all the other bits at once, then the partial results of the warps after they were exchanged.
// CHECK-LABEL: nv_tileas.func @across
// CHECK: nv_tileas.reshape {{.*}} -> tensor<1x4x4x32xf32
// CHECK: nv_tileas.permute {{.*}} [0, 2, 1, 3]
// CHECK: nv_tileas.reshape {{.*}} -> tensor<1x4x128xf32
// CHECK: nv_tileas.reduce {{.*}} {dim = 2 : i64}
// CHECK: nv_tileas.convert_layout {{.*}} : tensor<1x4xf32
// CHECK: nv_tileas.reduce {{.*}} {dim = 1 : i64} : (tensor<1x4xf32{{.*}}) -> tensor<1xf32
// CHECK-NOT: nv_tileas.reduce
// CHECK-LABEL: nv_tileas.func @within
// CHECK-COUNT-1: nv_tileas.reduce
// CHECK-NOT: convert_layout
nv_tileas.func @across(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t, %a = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<1x512xf32>
  %m = nv_tileas.reduce (%t) {dim = 1 : i64} : (tensor<1x512xf32>) -> tensor<1xf32> (%x: f32, %y: f32) {
    %q = arith.addf %x, %y : f32
    nv_tileas.yield %q : f32
  }
  nv_tileas.return
}

// Each warp has rows of its own.
nv_tileas.func @within(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t, %a = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<4x32xf32>
  %m = nv_tileas.reduce (%t) {dim = 1 : i64} : (tensor<4x32xf32>) -> tensor<4xf32> (%x: f32, %y: f32) {
    %q = arith.addf %x, %y : f32
    nv_tileas.yield %q : f32
  }
  nv_tileas.return
}

// Four warps share a scan of one row, the highest bits of the dimension: each scans its part, the last elements reach all warps, which scan them, and what the warps before
// have together is combined with each element; the first warp keeps its own.
// CHECK-LABEL: nv_tileas.func @scanned
// CHECK: nv_tileas.reshape {{.*}} -> tensor<4x128xf32
// CHECK: [[W:%.*]] = nv_tileas.scan {{.*}} {dim = 1 : i64, reverse}
// CHECK: nv_tileas.extract [[W]]{{.*}} -> tensor<4x1xf32
// CHECK: nv_tileas.convert_layout {{.*}} : tensor<4xf32
// CHECK: nv_tileas.scan {{.*}} {dim = 0 : i64, reverse} : (tensor<4xf32
// CHECK: nv_tileas.convert_layout {{.*}} : tensor<4xf32
// CHECK: nv_tileas.broadcast {{.*}} -> tensor<4x128xf32
// CHECK: nv_tileas.scan {{.*}} {dim = 2 : i64} : (tensor<4x128x2xf32
// CHECK: arith.cmpi ne
// CHECK: arith.select
// CHECK: nv_tileas.reshape {{.*}} -> tensor<512xf32
nv_tileas.func @scanned(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t, %a = nv_tileas.tiled_load %p[%z] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileas.ptr<f32> -> tensor<512xf32>
  %m = nv_tileas.scan (%t) {dim = 0 : i64, reverse} : (tensor<512xf32>) -> tensor<512xf32> (%x: f32, %y: f32) {
    %q = arith.addf %x, %y : f32
    nv_tileas.yield %q : f32
  }
  %k = nv_tileas.tiled_store %m, %p[%z] sizes [%n] strides [%one] token %a {bounds = array<i1: true>} : tensor<512xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
