// RUN: tile-opt %s --split-input-file --canonicalize | FileCheck %s

// The maximum of a tile is that of all its elements in one dimension.
// CHECK-LABEL: @most
// CHECK: %[[ALL:.*]] = nv_tileaa.reshape %[[X:.*]] : tensor<32x64xf32> -> tensor<2048xf32>
// CHECK-NEXT: %[[M:.*]] = nv_tileaa.reduce (%[[ALL]]) {dim = 0 : i64, identities = [0xFF800000 : f32]} : (tensor<2048xf32>) -> f32
// CHECK: arith.maxnumf
// CHECK-NOT: nv_tileaa.reduce
nv_tileaa.func @most(%x0: f32, %p: !nv_tileaa.ptr<f32>) {
  %x = nv_tileaa.splat %x0 : f32 -> tensor<32x64xf32>
  %r = nv_tileaa.reduce (%x) {dim = 0 : i64, identities = [0xFF800000 : f32]} : (tensor<32x64xf32>) -> tensor<64xf32> (%a: f32, %b: f32) {
    %m = arith.maxnumf %a, %b : f32
    nv_tileaa.yield %m : f32
  }
  %s = nv_tileaa.reduce (%r) {dim = 0 : i64, identities = [0xFF800000 : f32]} : (tensor<64xf32>) -> f32 (%a: f32, %b: f32) {
    %m = arith.maxnumf %b, %a : f32
    nv_tileaa.yield %m : f32
  }
  %t = nv_tileaa.store %p, %s : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Of three dimensions the last two are reduced, the last one first.
// CHECK-LABEL: @rows
// CHECK: %[[ALL:.*]] = nv_tileaa.reshape {{.*}} : tensor<4x8x16xi32> -> tensor<4x128xi32>
// CHECK-NEXT: nv_tileaa.reduce (%[[ALL]]) {dim = 1 : i64, identities = [0 : i32]} : (tensor<4x128xi32>) -> tensor<4xi32>
// CHECK-NOT: nv_tileaa.reduce
nv_tileaa.func @rows(%x0: i32, %p0: !nv_tileaa.ptr<i32>) {
  %p = nv_tileaa.splat %p0 : !nv_tileaa.ptr<i32> -> tensor<4x!nv_tileaa.ptr<i32>>
  %x = nv_tileaa.splat %x0 : i32 -> tensor<4x8x16xi32>
  %r = nv_tileaa.reduce (%x) {dim = 2 : i64, identities = [0 : i32]} : (tensor<4x8x16xi32>) -> tensor<4x8xi32> (%a: i32, %b: i32) {
    %m = arith.addi %a, %b : i32
    nv_tileaa.yield %m : i32
  }
  %s = nv_tileaa.reduce (%r) {dim = 1 : i64, identities = [0 : i32]} : (tensor<4x8xi32>) -> tensor<4xi32> (%a: i32, %b: i32) {
    %m = arith.addi %a, %b : i32
    nv_tileaa.yield %m : i32
  }
  %t = nv_tileaa.store %p, %s : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// The first and the last dimension are not next to each other.
// CHECK-LABEL: @apart
// CHECK-COUNT-2: nv_tileaa.reduce
nv_tileaa.func @apart(%x0: i32, %p0: !nv_tileaa.ptr<i32>) {
  %p = nv_tileaa.splat %p0 : !nv_tileaa.ptr<i32> -> tensor<8x!nv_tileaa.ptr<i32>>
  %x = nv_tileaa.splat %x0 : i32 -> tensor<4x8x16xi32>
  %r = nv_tileaa.reduce (%x) {dim = 2 : i64, identities = [0 : i32]} : (tensor<4x8x16xi32>) -> tensor<4x8xi32> (%a: i32, %b: i32) {
    %m = arith.addi %a, %b : i32
    nv_tileaa.yield %m : i32
  }
  %s = nv_tileaa.reduce (%r) {dim = 0 : i64, identities = [0 : i32]} : (tensor<4x8xi32>) -> tensor<8xi32> (%a: i32, %b: i32) {
    %m = arith.addi %a, %b : i32
    nv_tileaa.yield %m : i32
  }
  %t = nv_tileaa.store %p, %s : tensor<8x!nv_tileaa.ptr<i32>>, tensor<8xi32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// The largest of the sums of columns is no sum.
// CHECK-LABEL: @norm
// CHECK-COUNT-2: nv_tileaa.reduce
nv_tileaa.func @norm(%x0: i32, %p: !nv_tileaa.ptr<i32>) {
  %x = nv_tileaa.splat %x0 : i32 -> tensor<8x16xi32>
  %r = nv_tileaa.reduce (%x) {dim = 0 : i64, identities = [0 : i32]} : (tensor<8x16xi32>) -> tensor<16xi32> (%a: i32, %b: i32) {
    %m = arith.addi %a, %b : i32
    nv_tileaa.yield %m : i32
  }
  %s = nv_tileaa.reduce (%r) {dim = 0 : i64, identities = [0 : i32]} : (tensor<16xi32>) -> i32 (%a: i32, %b: i32) {
    %m = arith.maxsi %a, %b : i32
    nv_tileaa.yield %m : i32
  }
  %t = nv_tileaa.store %p, %s : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}
