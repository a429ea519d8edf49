// RUN: tile-opt %s --split-input-file --nvvm-share-terms | FileCheck %s

// Addresses of two rows share the column's part, and masks what does not depend on the row.
// CHECK-LABEL: nvvm.func @rows
// CHECK: [[C:%[0-9]+]] = nvvm.ptradd %p, %column
// CHECK-NEXT: nvvm.ptradd [[C]], %row0
// CHECK: [[O:%[0-9]+]] = arith.andi %inside, %owner
// CHECK-NEXT: arith.andi %in0, [[O]]
// CHECK: nvvm.ptradd [[C]], %row1
// CHECK: arith.andi %in1, [[O]]
nvvm.func @rows(%p: !nvvm.ptr<1>, %row0: i64, %row1: i64, %column: i64, %x: i32, %in0: i1, %in1: i1, %inside: i1, %owner: i1) {
  %a = nvvm.ptradd %p, %row0 : !nvvm.ptr<1>, i64
  %at0 = nvvm.ptradd %a, %column : !nvvm.ptr<1>, i64
  %m0 = arith.andi %in0, %inside : i1
  %mask0 = arith.andi %m0, %owner : i1
  nvvm.st %at0, %x if %mask0 : !nvvm.ptr<1>, i32
  %b = nvvm.ptradd %p, %row1 : !nvvm.ptr<1>, i64
  %at1 = nvvm.ptradd %b, %column : !nvvm.ptr<1>, i64
  %m1 = arith.andi %in1, %inside : i1
  %mask1 = arith.andi %m1, %owner : i1
  nvvm.st %at1, %x if %mask1 : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// Offsets of different bases are not added first, and what is used elsewhere is not taken apart.
// CHECK-LABEL: nvvm.func @unchanged_apart
// CHECK: %a = nvvm.ptradd %p, %row
// CHECK-NEXT: %x = nvvm.ptradd %a, %column
// CHECK-NEXT: %b = nvvm.ptradd %q, %row
// CHECK-NEXT: %y = nvvm.ptradd %b, %column
// CHECK-NEXT: %m = arith.andi %in, %inside
// CHECK-NEXT: %n = arith.andi %m, %owner
nvvm.func @unchanged_apart(%p: !nvvm.ptr<1>, %q: !nvvm.ptr<1>, %row: i64, %column: i64, %v: i32, %in: i1, %inside: i1, %owner: i1) {
  %a = nvvm.ptradd %p, %row : !nvvm.ptr<1>, i64
  %x = nvvm.ptradd %a, %column : !nvvm.ptr<1>, i64
  %b = nvvm.ptradd %q, %row : !nvvm.ptr<1>, i64
  %y = nvvm.ptradd %b, %column : !nvvm.ptr<1>, i64
  %m = arith.andi %in, %inside : i1
  %n = arith.andi %m, %owner : i1
  nvvm.st %x, %v if %m : !nvvm.ptr<1>, i32
  nvvm.st %y, %v if %n : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// What was added in front of a loop stays there.
// CHECK-LABEL: nvvm.func @unchanged_around
// CHECK: %a = nvvm.ptradd %p, %column
// CHECK: ^bb1
// CHECK: nvvm.ptradd %a, %row
nvvm.func @unchanged_around(%p: !nvvm.ptr<1>, %row: i64, %column: i64, %v: i32, %more: i1) {
  %a = nvvm.ptradd %p, %column : !nvvm.ptr<1>, i64
  cf.br ^bb1
^bb1:
  %x = nvvm.ptradd %a, %row : !nvvm.ptr<1>, i64
  nvvm.st %x, %v : !nvvm.ptr<1>, i32
  cf.cond_br %more, ^bb1, ^bb2
^bb2:
  nvvm.return
}

// -----

// A sum of integers that is computed anyway is a part of a longer one. No part is made of two longer ones, since three
// numbers are added at once, and none where a promise says that the order matters.
// CHECK-LABEL: nvvm.func @integers
// CHECK: [[S:%[0-9]+]] = arith.addi %a, %b
// CHECK-NEXT: [[T:%[0-9]+]] = arith.addi [[S]], %c48
// CHECK-NEXT: nvvm.st %p, [[S]]
// CHECK-NEXT: nvvm.st %p, [[T]]
// CHECK: %u = arith.addi %ac, %x
// CHECK: %v = arith.addi %ac2, %y
// CHECK: %w = arith.addi %exact, %b
nvvm.func @integers(%p: !nvvm.ptr<1>, %a: i32, %b: i32, %c: i32, %x: i32, %y: i32) {
  %c48 = arith.constant 48 : i32
  %s = arith.addi %a, %b : i32
  %a48 = arith.addi %a, %c48 : i32
  %t = arith.addi %a48, %b : i32
  nvvm.st %p, %s : !nvvm.ptr<1>, i32
  nvvm.st %p, %t : !nvvm.ptr<1>, i32
  %ac = arith.addi %a, %c : i32
  %u = arith.addi %ac, %x : i32
  %ac2 = arith.addi %a, %c : i32
  %v = arith.addi %ac2, %y : i32
  nvvm.st %p, %u : !nvvm.ptr<1>, i32
  nvvm.st %p, %v : !nvvm.ptr<1>, i32
  %exact = arith.addi %a, %c48 overflow<no_signed_wrap> : i32
  %w = arith.addi %exact, %b : i32
  nvvm.st %p, %w : !nvvm.ptr<1>, i32
  nvvm.return
}
