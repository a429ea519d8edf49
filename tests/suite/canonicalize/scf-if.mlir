// RUN: tile-opt %s --split-input-file --canonicalize --allow-unregistered-dialect | FileCheck %s
// RUN: tile-opt %s --split-input-file --canonicalize=disable-patterns=scf-if-known-condition --allow-unregistered-dialect | FileCheck %s --check-prefix=OFF

// An if whose condition is known below cuda_tile: the arm that is taken stands in its place.

// OFF-LABEL: func @taken
// OFF: scf.if
// CHECK-LABEL: nv_tileaa.func @taken(%p: !nv_tileaa.ptr<i32>, %n: i32)
// CHECK-NEXT: %a = arith.addi %n, %n : i32
// CHECK-NEXT: nv_tileaa.store %p, %a
// CHECK-NEXT: nv_tileaa.return
nv_tileaa.func @taken(%p: !nv_tileaa.ptr<i32>, %n: i32) {
  %true = arith.constant true
  %r = scf.if %true -> (i32) {
    %a = arith.addi %n, %n : i32
    scf.yield %a : i32
  } else {
    %b = arith.muli %n, %n : i32
    %t = nv_tileaa.store %p, %b : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.yield %b : i32
  }
  %t = nv_tileaa.store %p, %r : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// CHECK-LABEL: nv_tileas.func @other
// CHECK-NEXT: nv_tileas.store %p, %n
// CHECK-NEXT: nv_tileas.return
nv_tileas.func @other(%p: !nv_tileas.ptr<i32>, %n: i32) {
  %false = arith.constant false
  %r = scf.if %false -> (i32) {
    %a = arith.addi %n, %n : i32
    scf.yield %a : i32
  } else {
    scf.yield %n : i32
  }
  %t = nv_tileas.store %p, %r : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// What folds to a constant counts, and an else that is not there is nothing.
// CHECK-LABEL: nv_tileaa.func @nothing
// CHECK-NEXT: nv_tileaa.return
nv_tileaa.func @nothing(%p: !nv_tileaa.ptr<i32>, %n: i32) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %less = arith.cmpi slt, %c2, %c1 : i32
  scf.if %less {
    %t = nv_tileaa.store %p, %n : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.yield
  }
  nv_tileaa.return
}

// One in the other, and what follows an arm that leaves is not reached.
// CHECK-LABEL: nv_tileaa.func @leaves
// CHECK: %[[R:.*]] = scf.loop iter_args(%i = %n)
// CHECK-NEXT: %[[J:.*]] = arith.addi %i, %c1
// CHECK-NEXT: scf.break %[[J]]
// CHECK-NEXT: }
// CHECK-NEXT: nv_tileaa.store %p, %[[R]]
nv_tileaa.func @leaves(%p: !nv_tileaa.ptr<i32>, %n: i32) {
  %true = arith.constant true
  %false = arith.constant false
  %c1 = arith.constant 1 : i32
  %r = scf.loop iter_args(%i = %n) -> (i32) : i32 {
    %j = arith.addi %i, %c1 : i32
    %k = scf.if %true -> (i32) {
      %m = scf.if %false -> (i32) {
        nv_tileaa.return
      } else {
        scf.break %j : i32
      }
      scf.yield %m : i32
    } else {
      scf.yield %i : i32
    }
    %t = nv_tileaa.store %p, %k : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.continue %k : i32
  }
  %t = nv_tileaa.store %p, %r : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @returns
// CHECK: scf.for
// CHECK-NEXT: nv_tileaa.store %p, %k
// CHECK-NEXT: nv_tileaa.return
// CHECK-NEXT: }
// CHECK-NEXT: nv_tileaa.store %p, %n
nv_tileaa.func @returns(%p: !nv_tileaa.ptr<i32>, %n: i32) {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  scf.for %k = %c1 to %n step %c1 : i32 {
    %t = nv_tileaa.store %p, %k : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.if %true {
      nv_tileaa.return
    }
    scf.continue
  }
  %t = nv_tileaa.store %p, %n : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// Not known, or ended by something that may go anywhere: they stay.
// CHECK-LABEL: nv_tileaa.func @stays
// CHECK: scf.if %c
// CHECK: scf.if %true
nv_tileaa.func @stays(%p: !nv_tileaa.ptr<i32>, %n: i32, %c: i1) {
  %true = arith.constant true
  scf.if %c {
    %t = nv_tileaa.store %p, %n : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.yield
  }
  scf.if %true {
    "t.leave"() : () -> ()
  }
  nv_tileaa.return
}

// -----

// An arm of a few integers is executed in any case; one that divides, loads or has more of them is not.

// CHECK-LABEL: func @scalars
// CHECK: %[[A:.*]] = arith.subi %n, %m
// CHECK: %[[R:.*]] = arith.select %c, %[[A]], %m
// CHECK: %[[S:.*]] = scf.if
// CHECK: arith.divsi
// CHECK: nv_tileaa.store %p, %[[R]]
// CHECK: nv_tileaa.store %p, %[[S]]
nv_tileaa.func @scalars(%p: !nv_tileaa.ptr<i32>, %c: i1, %n: i32, %m: i32) {
  %r = scf.if %c -> (i32) {
    %a = arith.subi %n, %m : i32
    scf.yield %a : i32
  } else {
    scf.yield %m : i32
  }
  %c7 = arith.constant 7 : i32
  %s = scf.if %c -> (i32) {
    %a = arith.divsi %n, %c7 : i32
    scf.yield %a : i32
  } else {
    scf.yield %m : i32
  }
  %t = nv_tileaa.store %p, %r : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %u = nv_tileaa.store %p, %s : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// An arm that masks a small tile is executed in any case; that of a large tile is not.

// CHECK-LABEL: func @masks
// CHECK-NOT: scf.if
// CHECK: %[[S:.*]] = arith.select %m, %x, %k : tensor<128x8xi1>
// CHECK: arith.select %c, %[[S]], %x : i1, tensor<128x8xf32>
// CHECK: return
nv_tileaa.func @masks(%p: !nv_tileaa.ptr<f32>, %c: i1, %n: i32) {
  %ps = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x8x!nv_tileaa.ptr<f32>>
  %x, %t = nv_tileaa.load %ps : tensor<128x8x!nv_tileaa.ptr<f32>> -> tensor<128x8xf32>, !nv_tileaa.mem_token
  %k = arith.constant dense<-1.0> : tensor<128x8xf32>
  %r = scf.if %c -> (tensor<128x8xf32>) {
    %i = nv_tileaa.make_range : tensor<128xi32>
    %e = nv_tileaa.splat %n : i32 -> tensor<128xi32>
    %l = arith.cmpi slt, %i, %e : tensor<128xi32>
    %l1 = nv_tileaa.reshape %l : tensor<128xi1> -> tensor<128x1xi1>
    %m = nv_tileaa.broadcast %l1 : tensor<128x1xi1> -> tensor<128x8xi1>
    %s = arith.select %m, %x, %k : tensor<128x8xi1>, tensor<128x8xf32>
    scf.yield %s : tensor<128x8xf32>
  } else {
    scf.yield %x : tensor<128x8xf32>
  }
  %u = nv_tileaa.store %ps, %r : tensor<128x8x!nv_tileaa.ptr<f32>>, tensor<128x8xf32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// CHECK-LABEL: func @masks_much
// CHECK: scf.if
nv_tileaa.func @masks_much(%p: !nv_tileaa.ptr<f32>, %c: i1, %n: i32) {
  %ps = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x64x!nv_tileaa.ptr<f32>>
  %x, %t = nv_tileaa.load %ps : tensor<128x64x!nv_tileaa.ptr<f32>> -> tensor<128x64xf32>, !nv_tileaa.mem_token
  %k = arith.constant dense<-1.0> : tensor<128x64xf32>
  %r = scf.if %c -> (tensor<128x64xf32>) {
    %i = nv_tileaa.make_range : tensor<128xi32>
    %e = nv_tileaa.splat %n : i32 -> tensor<128xi32>
    %l = arith.cmpi slt, %i, %e : tensor<128xi32>
    %l1 = nv_tileaa.reshape %l : tensor<128xi1> -> tensor<128x1xi1>
    %m = nv_tileaa.broadcast %l1 : tensor<128x1xi1> -> tensor<128x64xi1>
    %s = arith.select %m, %x, %k : tensor<128x64xi1>, tensor<128x64xf32>
    scf.yield %s : tensor<128x64xf32>
  } else {
    scf.yield %x : tensor<128x64xf32>
  }
  %u = nv_tileaa.store %ps, %r : tensor<128x64x!nv_tileaa.ptr<f32>>, tensor<128x64xf32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
