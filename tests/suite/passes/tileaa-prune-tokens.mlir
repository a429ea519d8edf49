// RUN: tile-opt %s --split-input-file --tileaa-prune-tokens | FileCheck %s
// After canonicalize too, whose property it need not keep (@orders_only).
// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(nv_tileaa.func(canonicalize,tileaa-prune-tokens))' > /dev/null

// Two loads need no order. The store needs that of both, whatever it is ordered after directly: parameters may overlap.
// CHECK-LABEL: @reads
// CHECK: %[[N:.*]] = nv_tileaa.create_mem_token
// CHECK: %[[T:.*]] = nv_tileaa.create_mem_token
// CHECK: %{{.*}}, %[[A:.*]] = nv_tileaa.load %{{.*}} token %[[T]] :
// CHECK: %{{.*}}, %[[B:.*]] = nv_tileaa.load %{{.*}} token %[[N]] :
// CHECK: %[[J:.*]] = nv_tileaa.join_mem_token %[[B]], %[[A]]
// CHECK: nv_tileaa.store {{.*}} token %[[J]] :
nv_tileaa.func @reads(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>) {
  %t = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %x, %a = nv_tileaa.load %p token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %y, %b = nv_tileaa.load %q token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %z = arith.addi %x, %y : i32
  %c = nv_tileaa.store %p, %z token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Two parameters may be the same memory: the order of a store and a load stays.
// CHECK-LABEL: @parameters
// CHECK: %[[A:.*]] = nv_tileaa.store
// CHECK: nv_tileaa.load {{.*}} token %[[A]] :
nv_tileaa.func @parameters(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %v: i32) {
  %a = nv_tileaa.store %p, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %x, %b = nv_tileaa.load %q token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %c = nv_tileaa.store %q, %x token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// An alloca is nobody else's: neither a parameter's nor another alloca's.
// CHECK-LABEL: @allocas
// CHECK: %[[T:.*]] = nv_tileaa.create_mem_token
// CHECK: %[[P:.*]] = nv_tileaa.store %arg0
// CHECK: %[[A:.*]] = nv_tileaa.store {{.*}} token %[[T]] :
// CHECK: %[[B:.*]] = nv_tileaa.store {{.*}} token %[[T]] :
// CHECK: nv_tileaa.load {{.*}} token %[[A]] :
// CHECK: nv_tileaa.load %arg0 token %[[P]] :
nv_tileaa.func @allocas(%arg0: !nv_tileaa.ptr<i32>, %v: i32) {
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %n = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %p = nv_tileaa.store %arg0, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %a = nv_tileaa.store %m, %v token %p : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %b = nv_tileaa.store %n, %v token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %x, %c = nv_tileaa.load %m token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %y, %d = nv_tileaa.load %arg0 token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.print "%d %d", %x, %y : i32, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// An alloca whose address was stored may be what a loaded pointer leads to.
// CHECK-LABEL: @escaped
// CHECK: %[[A:.*]] = nv_tileaa.store %p, %m
// CHECK: %[[S:.*]] = nv_tileaa.store %m
// CHECK: %[[J:.*]] = nv_tileaa.join_mem_token %[[S]], %[[A]]
// CHECK: nv_tileaa.load %q token %[[J]]
nv_tileaa.func @escaped(%p: !nv_tileaa.ptr<!nv_tileaa.ptr<i32>>, %v: i32) {
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %a = nv_tileaa.store %p, %m : !nv_tileaa.ptr<!nv_tileaa.ptr<i32>>, !nv_tileaa.ptr<i32> -> !nv_tileaa.mem_token
  %q, %b = nv_tileaa.load %p token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<!nv_tileaa.ptr<i32>> -> !nv_tileaa.ptr<i32>, !nv_tileaa.mem_token
  %c = nv_tileaa.store %m, %v token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %x, %d = nv_tileaa.load %q token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.print "%d", %x : i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Parts of one object that are apart: by constants, and by a common offset that is not known. Where the parts meet, the order stays.
// CHECK-LABEL: @parts
// CHECK: %[[T:.*]] = nv_tileaa.create_mem_token
// CHECK: %[[A:.*]] = nv_tileaa.tiled_store
// CHECK: %{{.*}}, %[[B:.*]] = nv_tileaa.tiled_load {{.*}} token %[[T]]
// CHECK: %{{.*}}, %[[C:.*]] = nv_tileaa.tiled_load {{.*}} token %[[A]]
nv_tileaa.func @parts(%p: !nv_tileaa.ptr<i32>, %i: i64, %n: i64, %s: i32) {
  %v = nv_tileaa.splat %s : i32 -> tensor<8xi32>
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %4 = arith.constant 4 : i64
  %8 = arith.constant 8 : i64
  %u = arith.addi %i, %8 : i64
  %w = arith.addi %i, %4 : i64
  %a = nv_tileaa.tiled_store %v, %p[%i] sizes [%n] strides [%1] {bounds = array<i1: true>} : tensor<8xi32>, !nv_tileaa.ptr<i32>
  %x, %b = nv_tileaa.tiled_load %p[%u] sizes [%n] strides [%1] token %a {bounds = array<i1: true>} : !nv_tileaa.ptr<i32> -> tensor<8xi32>
  %y, %c = nv_tileaa.tiled_load %p[%w] sizes [%n] strides [%1] token %a {bounds = array<i1: true>} : !nv_tileaa.ptr<i32> -> tensor<8xi32>
  nv_tileaa.print "%d %d", %x, %y : tensor<8xi32>, tensor<8xi32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// The same offsets in a loop: in one iteration the parts are apart, but the load of the next one reads what this one stored. What comes around
// the loop therefore stays, and what comes from the store before in the same iteration goes.
// CHECK-LABEL: @around
// CHECK: scf.for %{{.*}} iter_args(%[[C:.*]] = %{{.*}})
// CHECK: %[[S:.*]] = nv_tileaa.tiled_store {{.*}} token %[[C]]
// CHECK: %{{.*}}, %[[L:.*]] = nv_tileaa.tiled_load {{.*}} token %[[C]]
// CHECK: %[[J:.*]] = nv_tileaa.join_mem_token %[[L]], %[[S]]
// CHECK: scf.continue %[[J]]
nv_tileaa.func @around(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %n: i64, %s: i32) {
  %v = nv_tileaa.splat %s : i32 -> tensor<8xi32>
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %8 = arith.constant 8 : i64
  %t = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %r = scf.for %i = %0 to %n step %8 iter_args(%c = %t) -> (!nv_tileaa.mem_token) : i64 {
    %u = arith.addi %i, %8 : i64
    %a = nv_tileaa.tiled_store %v, %p[%u] sizes [%n] strides [%1] token %c {bounds = array<i1: true>} : tensor<8xi32>, !nv_tileaa.ptr<i32>
    %x, %b = nv_tileaa.tiled_load %p[%i] sizes [%n] strides [%1] token %a {bounds = array<i1: true>} : !nv_tileaa.ptr<i32> -> tensor<8xi32>
    nv_tileaa.print "%d", %x : tensor<8xi32> -> !nv_tileaa.mem_token
    scf.continue %b : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// A load in a loop that only writes an alloca takes the token from before the loop; the store to the alloca keeps that of the loop.
// CHECK-LABEL: @past
// CHECK: %[[A:.*]] = nv_tileaa.store %arg0
// CHECK: scf.for %{{.*}} iter_args(%[[C:.*]] = %[[A]])
// CHECK: nv_tileaa.load %arg0 token %[[A]] :
// CHECK: nv_tileaa.store %{{.*}}, %{{.*}} token %[[C]] :
// CHECK: scf.continue
// CHECK: }
// CHECK: nv_tileaa.load %arg0 token %[[A]] :
nv_tileaa.func @past(%arg0: !nv_tileaa.ptr<i32>, %n: i32, %v: i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %a = nv_tileaa.store %arg0, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %r = scf.for %i = %0 to %n step %1 iter_args(%c = %a) -> (!nv_tileaa.mem_token) : i32 {
    %x, %b = nv_tileaa.load %arg0 token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    %d = nv_tileaa.store %m, %x token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.continue %d : !nv_tileaa.mem_token
  }
  %y, %e = nv_tileaa.load %arg0 token %r : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.print "%d", %y : i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// An if that stores in one branch is kept by what reads it, and passed by what does not.
// CHECK-LABEL: @branch
// CHECK: %[[T:.*]] = nv_tileaa.create_mem_token
// CHECK: nv_tileaa.alloca
// CHECK: %[[I:.*]] = scf.if
// CHECK: nv_tileaa.load %arg0 token %[[T]] :
// CHECK: nv_tileaa.load %{{.*}} token %[[I]] :
nv_tileaa.func @branch(%arg0: !nv_tileaa.ptr<i32>, %f: i1, %v: i32) {
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %t = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %i = scf.if %f -> (!nv_tileaa.mem_token) {
    %a = nv_tileaa.store %m, %v token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.yield %a : !nv_tileaa.mem_token
  } else {
    scf.yield %t : !nv_tileaa.mem_token
  }
  %x, %b = nv_tileaa.load %arg0 token %i : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %y, %c = nv_tileaa.load %m token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.print "%d %d", %x, %y : i32, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A release makes all that came before it visible, an acquire all that comes after it wait: nothing around them goes, though the objects differ.
// CHECK-LABEL: @ordered
// CHECK: %[[A:.*]] = nv_tileaa.store
// CHECK: %[[R:.*]] = nv_tileaa.store %{{.*}} token %[[A]] : {{.*}}ordering = "release"
// CHECK: %{{.*}}, %[[Q:.*]] = nv_tileaa.load %{{.*}} token %[[R]] : {{.*}}ordering = "acquire"
// CHECK: nv_tileaa.load %{{.*}} token %[[Q]] :
nv_tileaa.func @ordered(%p: !nv_tileaa.ptr<i32>, %v: i32) {
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %a = nv_tileaa.store %m, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %r = nv_tileaa.store %p, %v token %a : !nv_tileaa.mem_token {ordering = "release", scope = "device"} : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %x, %q = nv_tileaa.load %p token %r : !nv_tileaa.mem_token {ordering = "acquire", scope = "device"} : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %y, %b = nv_tileaa.load %m token %q : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.print "%d %d", %x, %y : i32, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Prints stay in order among themselves; a load needs neither.
// CHECK-LABEL: @prints
// CHECK: %[[T:.*]] = nv_tileaa.create_mem_token
// CHECK: %[[A:.*]] = nv_tileaa.print "one"
// CHECK: %{{.*}}, %{{.*}} = nv_tileaa.load %{{.*}} token %[[T]] :
// CHECK: nv_tileaa.print "%d", %{{.*}} token %[[A]] :
nv_tileaa.func @prints(%p: !nv_tileaa.ptr<i32>) {
  %a = nv_tileaa.print "one" -> !nv_tileaa.mem_token
  %x, %b = nv_tileaa.load %p token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %c = nv_tileaa.print "%d", %x : i32 token %b : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
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

// -----

// A load that nothing but an order was there for is dead when that is gone, and left to dce.
// CHECK-LABEL: @orders_only
// CHECK: %[[T:.*]] = nv_tileaa.create_mem_token
// CHECK: nv_tileaa.load %p :
// CHECK: nv_tileaa.load %p token %[[T]] :
nv_tileaa.func @orders_only(%p: !nv_tileaa.ptr<i32>) {
  %x, %a = nv_tileaa.load %p : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %y, %b = nv_tileaa.load %p token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %c = nv_tileaa.print "%d", %y : i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}
