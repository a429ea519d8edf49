// RUN: tile-opt %s --split-input-file --tileaa-eliminate-dead-stores | FileCheck %s

// The first store is overwritten, and what came after it comes after what it came after.
// CHECK-LABEL: @overwritten
// CHECK: %[[A:.*]] = nv_tileaa.store %q
// CHECK-NEXT: nv_tileaa.store %p, %w token %[[A]]
// CHECK-NOT: nv_tileaa.store
nv_tileaa.func @overwritten(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %v: i32, %w: i32) {
  %a = nv_tileaa.store %q, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %b = nv_tileaa.store %p, %v token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %c = nv_tileaa.store %p, %w token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A load that may read it keeps it; one of another object does not.
// CHECK-LABEL: @read
// CHECK: nv_tileaa.store %p, %v
// CHECK: nv_tileaa.load %q
// CHECK-NEXT: %{{.*}} = nv_tileaa.load %m
// CHECK-NEXT: %[[Z:.*]] = arith.addi
// CHECK-NEXT: %{{.*}} = nv_tileaa.store %p, %[[Z]]
nv_tileaa.func @read(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %v: i32, %w: i32) {
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %t = nv_tileaa.store %m, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %a = nv_tileaa.store %p, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %x, %b = nv_tileaa.load %q token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %c = nv_tileaa.store %p, %x token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %y, %d = nv_tileaa.load %m token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  %z = arith.addi %y, %w : i32
  %e = nv_tileaa.store %p, %z token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A release makes it visible; a relaxed or a release store is never dead itself.
// CHECK-LABEL: @released
// CHECK: nv_tileaa.store %p, %v
// CHECK: nv_tileaa.store %q, %v {{.*}}release
// CHECK: nv_tileaa.store %q, %w {{.*}}relaxed
// CHECK: nv_tileaa.store %q, %w {{.*}}relaxed
// CHECK: nv_tileaa.store %p, %w
nv_tileaa.func @released(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %v: i32, %w: i32) {
  %a = nv_tileaa.store %p, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %b = nv_tileaa.store %q, %v token %a : !nv_tileaa.mem_token {ordering = "release", scope = "device"} : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %c = nv_tileaa.store %q, %w token %b : !nv_tileaa.mem_token {ordering = "relaxed", scope = "device"} : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %d = nv_tileaa.store %q, %w token %c : !nv_tileaa.mem_token {ordering = "relaxed", scope = "device"} : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %e = nv_tileaa.store %p, %w token %d : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A store under a mask leaves what it does not store; one without a mask leaves nothing.
// CHECK-LABEL: @masks
// CHECK: nv_tileaa.store %a, %w {{(token .*)?}}: tensor<4x!nv_tileaa.ptr<i32>>
// CHECK: nv_tileaa.store %a, %w mask %k
// CHECK: nv_tileaa.store %b, %w {{(token .*)?}}: tensor<4x!nv_tileaa.ptr<i32>>
// CHECK-NOT: nv_tileaa.store
nv_tileaa.func @masks(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %v: i32, %f: i1) {
  %r = nv_tileaa.make_range : tensor<4xi32>
  %s = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<4x!nv_tileaa.ptr<i32>>
  %a = nv_tileaa.addptr %s, %r : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32>
  %t = nv_tileaa.splat %q : !nv_tileaa.ptr<i32> -> tensor<4x!nv_tileaa.ptr<i32>>
  %b = nv_tileaa.addptr %t, %r : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32>
  %w = nv_tileaa.splat %v : i32 -> tensor<4xi32>
  %k = nv_tileaa.splat %f : i1 -> tensor<4xi1>
  %0 = nv_tileaa.store %a, %w : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32> -> !nv_tileaa.mem_token
  %1 = nv_tileaa.store %a, %w mask %k : tensor<4xi1> token %0 : !nv_tileaa.mem_token : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32> -> !nv_tileaa.mem_token
  %2 = nv_tileaa.store %b, %w mask %k : tensor<4xi1> token %1 : !nv_tileaa.mem_token : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32> -> !nv_tileaa.mem_token
  %3 = nv_tileaa.store %b, %w token %2 : !nv_tileaa.mem_token : tensor<4x!nv_tileaa.ptr<i32>>, tensor<4xi32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Where control may leave in between, the end of the kernel shows the first store. After an if, both branches are overwritten.
// CHECK-LABEL: @control
// CHECK: nv_tileaa.store %p, %v
// CHECK: scf.if
// CHECK: nv_tileaa.return
// CHECK: nv_tileaa.store %p, %w
// CHECK: scf.if
// CHECK-NOT: nv_tileaa.store
// CHECK: nv_tileaa.store %q, %w
nv_tileaa.func @control(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>, %v: i32, %w: i32, %f: i1) {
  %a = nv_tileaa.store %p, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  scf.if %f {
    nv_tileaa.return
  }
  %b = nv_tileaa.store %p, %w token %a : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %c = scf.if %f -> (!nv_tileaa.mem_token) {
    %d = nv_tileaa.store %q, %v token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.yield %d : !nv_tileaa.mem_token
  } else {
    scf.yield %b : !nv_tileaa.mem_token
  }
  %e = nv_tileaa.store %q, %w token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// An iteration reads what the one before stored: the store in the loop stays, and so does the one before it.
// CHECK-LABEL: @loop
// CHECK: nv_tileaa.store %p, %v
// CHECK: scf.for
// CHECK: nv_tileaa.load %p
// CHECK: nv_tileaa.store %p
// CHECK: }
// CHECK: nv_tileaa.store %p
nv_tileaa.func @loop(%p: !nv_tileaa.ptr<i32>, %v: i32, %n: i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %a = nv_tileaa.store %p, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %r = scf.for %i = %0 to %n step %1 iter_args(%c = %a) -> (!nv_tileaa.mem_token) : i32 {
    %x, %b = nv_tileaa.load %p token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    %y = arith.addi %x, %i : i32
    %d = nv_tileaa.store %p, %y token %b : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.continue %d : !nv_tileaa.mem_token
  }
  %e = nv_tileaa.store %p, %v token %r : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Stores to an alloca that nothing reads go; one whose address is given away, or that is read, stays.
// CHECK-LABEL: @unread
// CHECK-NOT: nv_tileaa.store %l
// CHECK: nv_tileaa.store %m
// CHECK: nv_tileaa.store %n
// CHECK: nv_tileaa.load %n
nv_tileaa.func @unread(%p: !nv_tileaa.ptr<!nv_tileaa.ptr<i32>>, %v: i32) {
  %l = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %m = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %n = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %a = nv_tileaa.store %l, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %b = nv_tileaa.store %m, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %c = nv_tileaa.store %n, %v : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %d = nv_tileaa.store %p, %m : !nv_tileaa.ptr<!nv_tileaa.ptr<i32>>, !nv_tileaa.ptr<i32> -> !nv_tileaa.mem_token
  %x, %e = nv_tileaa.load %n token %c : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.print "%d", %x : i32 -> !nv_tileaa.mem_token
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
