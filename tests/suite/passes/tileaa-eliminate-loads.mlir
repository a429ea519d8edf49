// RUN: tile-opt %s --split-input-file --tileaa-eliminate-loads | FileCheck %s

// A stored value, and one that was loaded, are known; what was ordered after a load that goes is ordered after what that was.
// CHECK-LABEL: @known
// CHECK: %[[A:.*]] = nv_tileaa.store %p, %v
// CHECK-NEXT: %[[Y:.*]], %{{.*}} = nv_tileaa.load %q token %[[A]]
// CHECK-NEXT: %[[S:.*]] = arith.addi %v, %[[Y]]
// CHECK-NEXT: %[[U:.*]] = arith.addi %[[S]], %[[Y]]
nv_tileaa.func @known(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %v: i32) {
  %a = nv_tileaa.store %p, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %x, %b = nv_tileaa.load %p token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %y, %c = nv_tileaa.load %q token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %z, %d = nv_tileaa.load %q token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %s = arith.addi %x, %y : i32
  %u = arith.addi %s, %z : i32
  %e = nv_tileaa.store %q, %u token %d : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A store through another parameter may have changed it; a store to an alloca has not.
// CHECK-LABEL: @between
// CHECK: nv_tileaa.load %p
// CHECK: nv_tileaa.store %q
// CHECK: %[[Y:.*]], %{{.*}} = nv_tileaa.load %p
// CHECK: nv_tileaa.store %m
// CHECK-NOT: nv_tileaa.load
// CHECK: nv_tileaa.print "%d %d %d", %{{.*}}, %[[Y]], %[[Y]]
nv_tileaa.func @between(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %v: i32) {
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %x, %a = nv_tileaa.load %p : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %b = nv_tileaa.store %q, %v token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %y, %c = nv_tileaa.load %p token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %d = nv_tileaa.store %m, %v token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %z, %e = nv_tileaa.load %p token %d : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.print "%d %d %d", %x, %y, %z : i32, i32, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A stored value is taken along token order only.
// CHECK-LABEL: @unordered
// CHECK: nv_tileaa.store
// CHECK: nv_tileaa.load
nv_tileaa.func @unordered(%p: !nv_tileaa.ptr<i32>, %v: i32) {
  %a = nv_tileaa.store %p, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %x, %b = nv_tileaa.load %p : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.print "%d", %x : i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Accesses that are stronger than weak stay, and after them others' writes are visible: the second load of %p stays, that of the alloca goes.
// CHECK-LABEL: @ordered
// CHECK: nv_tileaa.store %m, %v
// CHECK: nv_tileaa.load %p
// CHECK: nv_tileaa.load %q {{.*}}ordering = "acquire"
// CHECK: nv_tileaa.load %q {{.*}}ordering = "acquire"
// CHECK: nv_tileaa.load %p
// CHECK-NOT: nv_tileaa.load
// CHECK: nv_tileaa.print "%d %d %d %d %d", %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %v
nv_tileaa.func @ordered(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %v: i32) {
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %t = nv_tileaa.store %m, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %x, %a = nv_tileaa.load %p token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %f, %b = nv_tileaa.load %q token %a : !nv_tileaa.mem_token {ordering = "acquire", scope = "device"} : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %g, %c = nv_tileaa.load %q token %b : !nv_tileaa.mem_token {ordering = "acquire", scope = "device"} : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %y, %d = nv_tileaa.load %p token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %z, %e = nv_tileaa.load %m token %d : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.print "%d %d %d %d %d", %x, %f, %g, %y, %z : i32, i32, i32, i32, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Under a mask: the same mask gives the stored elements, and what the load fills in; another mask is another place.
// CHECK-LABEL: @masks
// CHECK: nv_tileaa.store
// CHECK-NEXT: %[[S:.*]] = arith.select %k, %w, %o
// CHECK-NEXT: nv_tileaa.load {{.*}} mask %l
// CHECK-NEXT: nv_tileaa.print "%d %d %d", %w, %[[S]], %{{.*}} :
nv_tileaa.func @masks(%p: !nv_tileaa.ptr<i32>, %v: i32, %f: i1, %g: i1) {
  %q = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<4x!nv_tileaa.ptr<i32>>
  %r = nv_tileaa.make_range : tensor<4xi32>
  %a = nv_tileaa.addptr %q, %r : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32>
  %w = nv_tileaa.splat %v : i32 -> tensor<4xi32>
  %k = nv_tileaa.splat %f : i1 -> tensor<4xi1>
  %l = nv_tileaa.splat %g : i1 -> tensor<4xi1>
  %o = arith.constant dense<7> : tensor<4xi32>
  %t = nv_tileaa.store %a, %w mask %k : tensor<4xi1> : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32> -> !nv_tileaa.mem_token
  %x, %b = nv_tileaa.load %a mask %k : tensor<4xi1> token %t : !nv_tileaa.mem_token : tensor<4x!nv_tileaa.ptr<i32>> -> tensor<4xi32>, !nv_tileaa.mem_token
  %y, %c = nv_tileaa.load %a mask %k : tensor<4xi1> other %o : tensor<4xi32> token %t : !nv_tileaa.mem_token : tensor<4x!nv_tileaa.ptr<i32>> -> tensor<4xi32>, !nv_tileaa.mem_token
  %z, %d = nv_tileaa.load %a mask %l : tensor<4xi1> token %t : !nv_tileaa.mem_token : tensor<4x!nv_tileaa.ptr<i32>> -> tensor<4xi32>, !nv_tileaa.mem_token
  nv_tileaa.print "%d %d %d", %x, %y, %z : tensor<4xi32>, tensor<4xi32>, tensor<4xi32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Tiles: the same offsets, sizes and strides. A bound that is checked leaves elements out that a padded load fills in, which the stored tile cannot
// give; two loads with one padding are the same, with two they are not.
// CHECK-LABEL: @tiles
// CHECK: nv_tileaa.tiled_store
// CHECK-NEXT: %[[Z:.*]], %{{.*}} = nv_tileaa.tiled_load {{.*}}padding = "zero"
// CHECK-NEXT: %[[N:.*]], %{{.*}} = nv_tileaa.tiled_load {{.*}}padding = "nan"
// CHECK-NEXT: nv_tileaa.print "%f %f %f %f", %v, %[[Z]], %[[Z]], %[[N]]
nv_tileaa.func @tiles(%p: !nv_tileaa.ptr<f32>, %i: i64, %n: i64, %s: f32) {
  %v = nv_tileaa.splat %s : f32 -> tensor<8xf32>
  %1 = arith.constant 1 : i64
  %a = nv_tileaa.tiled_store %v, %p[%i] sizes [%n] strides [%1] {bounds = array<i1: true>} : tensor<8xf32>, !nv_tileaa.ptr<f32>
  %x, %b = nv_tileaa.tiled_load %p[%i] sizes [%n] strides [%1] token %a {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<8xf32>
  %y, %c = nv_tileaa.tiled_load %p[%i] sizes [%n] strides [%1] token %b {padding = "zero", bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<8xf32>
  %z, %d = nv_tileaa.tiled_load %p[%i] sizes [%n] strides [%1] token %c {padding = "zero", bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<8xf32>
  %w, %e = nv_tileaa.tiled_load %p[%i] sizes [%n] strides [%1] token %d {padding = "nan", bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<8xf32>
  nv_tileaa.print "%f %f %f %f", %x, %y, %z, %w : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// What is known before a loop or if is known inside, unless something inside writes there; what is known inside is not known after.
// CHECK-LABEL: @control
// CHECK: %[[X:.*]], %{{.*}} = nv_tileaa.load %p
// CHECK: scf.for
// CHECK-NOT: nv_tileaa.load
// CHECK: nv_tileaa.store %m, %[[X]]
// CHECK: scf.for
// CHECK: nv_tileaa.load %p
// CHECK: nv_tileaa.store %p
// CHECK: scf.if
// CHECK: nv_tileaa.load %q
// CHECK: nv_tileaa.load %q
nv_tileaa.func @control(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %n: i32, %f: i1) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %x, %a = nv_tileaa.load %p : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %r = scf.for %i = %0 to %n step %1 iter_args(%c = %a) -> (!nv_tileaa.mem_token) : i32 {
    %y, %b = nv_tileaa.load %p token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    %d = nv_tileaa.store %m, %y token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.continue %d : !nv_tileaa.mem_token
  }
  %s = scf.for %i = %0 to %n step %1 iter_args(%c = %r) -> (!nv_tileaa.mem_token) : i32 {
    %y, %b = nv_tileaa.load %p token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    %z = arith.addi %y, %1 : i32
    %d = nv_tileaa.store %p, %z token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.continue %d : !nv_tileaa.mem_token
  }
  %t = scf.if %f -> (!nv_tileaa.mem_token) {
    %y, %b = nv_tileaa.load %q token %s : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    nv_tileaa.print "%d", %y : i32 -> !nv_tileaa.mem_token
    scf.yield %b : !nv_tileaa.mem_token
  } else {
    scf.yield %s : !nv_tileaa.mem_token
  }
  %z, %e = nv_tileaa.load %q token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.print "%d %d", %x, %z : i32, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A weak load that nobody uses goes, but for one that orders.
// CHECK-LABEL: @unused
// CHECK-NOT: nv_tileaa.load %p
// CHECK: nv_tileaa.load %q {{.*}}acquire
nv_tileaa.func @unused(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %v: i32) {
  %x, %a = nv_tileaa.load %p : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %y, %b = nv_tileaa.load %q token %a : !nv_tileaa.mem_token {ordering = "acquire", scope = "device"} : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %c = nv_tileaa.store %p, %v token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A kernel that accesses no memory has nothing to look at.
// CHECK-LABEL: @unchanged_arithmetic
nv_tileaa.func @unchanged_arithmetic(%n: i32) {
  %one = arith.constant 1 : i32
  %a = arith.addi %n, %one : i32
  %c = arith.cmpi slt, %n, %a : i32
  nv_tileaa.assert %c, "no overflow" : i1
  nv_tileaa.return
}
