// RUN: tile-opt %s --nvvm-fold-offsets --cse --dce | FileCheck %s

// The elements of a thread are 128 apart: one address, and constants in the accesses.
// CHECK-LABEL: nvvm.func @neighbours
// CHECK: [[W:%.*]] = arith.extsi %t : i32 to i64
// CHECK-NEXT: [[O:%.*]] = arith.muli [[W]]
// CHECK-NEXT: [[P:%.*]] = nvvm.ptradd %p, [[O]]
// CHECK-NEXT: %x = nvvm.ld [[P]] :
// CHECK-NEXT: %y = nvvm.ld [[P]] + 512 :
// CHECK-NEXT: nvvm.st [[P]] + 520, %x
nvvm.func @neighbours(%p: !nvvm.ptr<1>) attributes {nvvm.reqntid = array<i32: 128>} {
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %c128 = arith.constant 128 : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %u = arith.addi %t, %c128 : i32
  %tw = arith.extsi %t : i32 to i64
  %uw = arith.extsi %u : i32 to i64
  %to = arith.muli %tw, %c4 : i64
  %uo = arith.muli %uw, %c4 : i64
  %tp = nvvm.ptradd %p, %to : !nvvm.ptr<1>, i64
  %up = nvvm.ptradd %p, %uo : !nvvm.ptr<1>, i64
  %vp = nvvm.ptradd %up, %c8 : !nvvm.ptr<1>, i64
  %x = nvvm.ld %tp : !nvvm.ptr<1> -> i32
  %y = nvvm.ld %up : !nvvm.ptr<1> -> i32
  nvvm.st %vp, %x : !nvvm.ptr<1>, i32
  nvvm.st %p, %y : !nvvm.ptr<1>, i32
  nvvm.return
}

// A sum of two variables and a constant, which a promise or an or keeps from wrapping.
// CHECK-LABEL: nvvm.func @sums
// CHECK: [[S:%.*]] = arith.addi %n, %t overflow
// CHECK: nvvm.ld {{%[0-9]+}} + 3 :
// CHECK: nvvm.ld {{%[0-9]+}} + 256 :
nvvm.func @sums(%p: !nvvm.ptr<1>, %m: i32) attributes {nvvm.reqntid = array<i32: 128>} {
  %c3 = arith.constant 3 : i32
  %c256 = arith.constant 256 : i32
  %c1023 = arith.constant 1023 : i32
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %n = arith.andi %m, %c1023 : i32
  %u = arith.addi %t, %c3 : i32
  %s = arith.addi %n, %u : i32
  %w = arith.extui %s : i32 to i64
  %q = nvvm.ptradd %p, %w : !nvvm.ptr<1>, i64
  %o = arith.ori %t, %c256 : i32
  %ow = arith.extui %o : i32 to i64
  %op = nvvm.ptradd %p, %ow : !nvvm.ptr<1>, i64
  %x = nvvm.ld %q : !nvvm.ptr<1> -> i8
  %y = nvvm.ld %op : !nvvm.ptr<1> -> i8
  nvvm.st %p, %x : !nvvm.ptr<1>, i8
  nvvm.st %p, %y : !nvvm.ptr<1>, i8
  nvvm.return
}

// What may wrap stays: an unknown number plus one may be negative. Addresses of 32 bits stay, too.
// CHECK-LABEL: nvvm.func @unchanged_wraps
nvvm.func @unchanged_wraps(%p: !nvvm.ptr<1>, %n: i32) {
  %c1 = arith.constant 1 : i32
  %s = arith.addi %n, %c1 : i32
  %w = arith.extsi %s : i32 to i64
  %q = nvvm.ptradd %p, %w : !nvvm.ptr<1>, i64
  %x = nvvm.ld %q : !nvvm.ptr<1> -> i8
  nvvm.st %p, %x : !nvvm.ptr<1>, i8
  nvvm.return
}
