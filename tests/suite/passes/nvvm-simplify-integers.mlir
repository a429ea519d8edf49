// RUN: tile-opt %s --split-input-file --nvvm-simplify-integers | FileCheck %s

// A mask that has all bits of a number of 128 threads does nothing, and with 5 all bits of x & 5 are set.
// CHECK-LABEL: nvvm.func @masks
// CHECK: %tid = nvvm.read.ptx.sreg.tid.x
// CHECK-NOT: arith.andi %tid, %c127
// CHECK: nvvm.st %p, %tid
// CHECK-NEXT: nvvm.st %p, %c5
// CHECK-NEXT: nvvm.st %p, %some
nvvm.func @masks(%p: !nvvm.ptr<1>) attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c127 = arith.constant 127 : i32
  %c63 = arith.constant 63 : i32
  %c5 = arith.constant 5 : i32
  %all = arith.andi %tid, %c127 : i32
  %low = arith.andi %tid, %c5 : i32
  %set = arith.ori %low, %c5 : i32
  %some = arith.andi %tid, %c63 : i32
  nvvm.st %p, %all : !nvvm.ptr<1>, i32
  nvvm.st %p, %set : !nvvm.ptr<1>, i32
  nvvm.st %p, %some : !nvvm.ptr<1>, i32
  nvvm.return
}

// Extensions of both sides keep the order. One with a sign and one with zeros do so if the number is not negative.
// CHECK-LABEL: nvvm.func @extended
// CHECK: arith.cmpi ult, %n, %m : i32
// CHECK: arith.cmpi slt, %n, {{.*}} : i32
// CHECK: arith.cmpi slt, %tid, %n : i32
// CHECK: arith.cmpi slt, %u, %s : i64
nvvm.func @extended(%p: !nvvm.ptr<1>, %n: i32, %m: i32) attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c5 = arith.constant 5 : i64
  %s = arith.extsi %n : i32 to i64
  %t = arith.extsi %m : i32 to i64
  %u = arith.extui %m : i32 to i64
  %v = arith.extui %tid : i32 to i64
  %a = arith.cmpi ult, %s, %t : i64
  %b = arith.cmpi slt, %s, %c5 : i64
  %c = arith.cmpi slt, %v, %s : i64
  %d = arith.cmpi slt, %u, %s : i64
  nvvm.st %p, %n if %a : !nvvm.ptr<1>, i32
  nvvm.st %p, %n if %b : !nvvm.ptr<1>, i32
  nvvm.st %p, %n if %c : !nvvm.ptr<1>, i32
  nvvm.st %p, %n if %d : !nvvm.ptr<1>, i32
  nvvm.return
}

// A sum or difference that cannot wrap leaves its constant to the other side. One that can does not.
// CHECK-LABEL: nvvm.func @moved
// CHECK: [[C:%[0-9]+]] = arith.constant 32 : i32
// CHECK-NEXT: arith.cmpi slt, %tid, [[C]]
// CHECK: [[D:%[0-9]+]] = arith.constant 7 : i32
// CHECK-NEXT: arith.cmpi slt, %tid, [[D]]
// CHECK: arith.cmpi slt, %free, %c8
// CHECK: arith.cmpi ne, %bit, {{%.*}}
nvvm.func @moved(%p: !nvvm.ptr<1>, %n: i32) attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c33 = arith.constant 33 : i32
  %left = arith.subi %c33, %tid : i32
  %next = arith.addi %tid, %c1 : i32
  %free = arith.addi %n, %c1 : i32
  %bit = arith.andi %n, %c4 : i32
  %shifted = arith.shrui %bit, %c2 : i32
  %a = arith.cmpi slt, %c1, %left : i32
  %b = arith.cmpi slt, %next, %c8 : i32
  %c = arith.cmpi slt, %free, %c8 : i32
  %d = arith.cmpi ne, %shifted, %c0 : i32
  nvvm.st %p, %n if %a : !nvvm.ptr<1>, i32
  nvvm.st %p, %n if %b : !nvvm.ptr<1>, i32
  nvvm.st %p, %n if %c : !nvvm.ptr<1>, i32
  nvvm.st %p, %n if %d : !nvvm.ptr<1>, i32
  nvvm.return
}

// A negative remainder is the greatest unsigned number. That needs a positive divisor.
// CHECK-LABEL: nvvm.func @floor
// CHECK: arith.minui %r, %s
// CHECK: arith.select %less, %t, %q
nvvm.func @floor(%p: !nvvm.ptr<1>, %x: i32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %r = arith.remsi %x, %c7 : i32
  %s = arith.addi %r, %c7 : i32
  %negative = arith.cmpi slt, %r, %c0 : i32
  %f = arith.select %negative, %s, %r : i1, i32
  %q = arith.remsi %x, %n : i32
  %t = arith.addi %q, %n : i32
  %less = arith.cmpi slt, %q, %c0 : i32
  %g = arith.select %less, %t, %q : i1, i32
  nvvm.st %p, %f : !nvvm.ptr<1>, i32
  nvvm.st %p, %g : !nvvm.ptr<1>, i32
  nvvm.return
}

// Ranges leave one number for the quotient and the comparison, and decide minima, choices and remainders.
// CHECK-LABEL: nvvm.func @decided
// CHECK: [[ZERO:%[0-9]+]] = arith.constant 0 : i32
// CHECK: [[MOST:%[0-9]+]] = arith.constant 32 : i32
// CHECK: nvvm.st %p, [[ZERO]]
// CHECK-NEXT: nvvm.st %p, %low
// CHECK-NEXT: nvvm.st %p, [[MOST]]
// CHECK-NEXT: nvvm.st %p, %low
// CHECK-NEXT: nvvm.st %p, %n
// CHECK-NEXT: nvvm.st %p, %some
// CHECK-NEXT: nvvm.st %p, %mod
nvvm.func @decided(%p: !nvvm.ptr<1>, %n: i32) {
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %c32 = arith.constant 32 : i32
  %low = arith.andi %n, %c7 : i32
  %div = arith.divui %low, %c32 : i32
  %min = arith.minsi %c32, %low : i32
  %max = arith.maxui %low, %c32 : i32
  %rem = arith.remsi %low, %c32 : i32
  %less = arith.cmpi slt, %low, %c32 : i32
  %choice = arith.select %less, %n, %low : i1, i32
  %some = arith.minsi %n, %c32 : i32
  %mod = arith.remui %low, %c5 : i32
  nvvm.st %p, %div : !nvvm.ptr<1>, i32
  nvvm.st %p, %min : !nvvm.ptr<1>, i32
  nvvm.st %p, %max : !nvvm.ptr<1>, i32
  nvvm.st %p, %rem : !nvvm.ptr<1>, i32
  nvvm.st %p, %choice : !nvvm.ptr<1>, i32
  nvvm.st %p, %some : !nvvm.ptr<1>, i32
  nvvm.st %p, %mod : !nvvm.ptr<1>, i32
  nvvm.return
}

// Two sums that are equal but for what they promise promise the same.
// CHECK-LABEL: nvvm.func @promised
// CHECK: %a = arith.addi %tid, %c1 overflow<no_wrap> : i32
// CHECK: %b = arith.addi %tid, %c1 overflow<no_wrap> : i32
// CHECK: %c = arith.addi %n, %c1 : i32
nvvm.func @promised(%p: !nvvm.ptr<1>, %n: i32) attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c1 = arith.constant 1 : i32
  %a = arith.addi %tid, %c1 overflow<no_signed_wrap> : i32
  %b = arith.addi %tid, %c1 : i32
  %c = arith.addi %n, %c1 : i32
  nvvm.st %p, %a : !nvvm.ptr<1>, i32
  nvvm.st %p, %b : !nvvm.ptr<1>, i32
  nvvm.st %p, %c : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// Of a parameter nothing is known: a mask may take bits away, and a comparison may be either.
// CHECK-LABEL: nvvm.func @unchanged_unknown
// CHECK: %m = arith.andi %n, %c7
// CHECK-NEXT: %less = arith.cmpi slt, %m, %x
// CHECK-NEXT: nvvm.st %p, %m if %less
nvvm.func @unchanged_unknown(%p: !nvvm.ptr<1>, %n: i32, %x: i32) {
  %c7 = arith.constant 7 : i32
  %m = arith.andi %n, %c7 : i32
  %less = arith.cmpi slt, %m, %x : i32
  nvvm.st %p, %m if %less : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// A causal mask compares a row with each column of a thread. Where the columns do not wrap, one difference takes the
// place of their sums. A row that may be negative is less than each column, as -1 is.
// CHECK-LABEL: nvvm.func @mask
// CHECK: %[[ROW:.*]] = arith.maxsi %row, %{{.*}} : i32
// CHECK: %[[D:.*]] = arith.subi %[[ROW]], %tid overflow<no_signed_wrap> : i32
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: arith.cmpi sge, %[[D]], %[[ONE]] : i32
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK: arith.cmpi sgt, %{{.*}}, %[[FOUR]] : i32
// CHECK-NOT: arith.addi
// CHECK: nvvm.return
nvvm.func @mask(%p: !nvvm.ptr<1>, %row: i32) attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %x1 = arith.addi %tid, %c1 : i32
  %x2 = arith.addi %tid, %c2 : i32
  %x3 = arith.addi %tid, %c3 : i32
  %x4 = arith.addi %tid, %c4 : i32
  %a = arith.cmpi sge, %row, %x1 : i32
  %b = arith.cmpi sge, %row, %x2 : i32
  %c = arith.cmpi slt, %row, %x3 : i32
  %d = arith.cmpi slt, %x4, %row : i32
  nvvm.st %p, %a : !nvvm.ptr<1>, i1
  nvvm.st %p, %b : !nvvm.ptr<1>, i1
  nvvm.st %p, %c : !nvvm.ptr<1>, i1
  nvvm.st %p, %d : !nvvm.ptr<1>, i1
  nvvm.return
}

// Columns that may wrap stay sums, and so do three.
// CHECK-LABEL: nvvm.func @unchanged_mask
// CHECK-NOT: arith.subi
// CHECK: nvvm.return
nvvm.func @unchanged_mask(%p: !nvvm.ptr<1>, %row: i32, %column: i32) attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %x1 = arith.addi %column, %c1 : i32
  %x2 = arith.addi %column, %c2 : i32
  %x3 = arith.addi %column, %c3 : i32
  %x4 = arith.addi %column, %c4 : i32
  %a = arith.cmpi sge, %row, %x1 : i32
  %b = arith.cmpi sge, %row, %x2 : i32
  %c = arith.cmpi slt, %row, %x3 : i32
  %d = arith.cmpi slt, %x4, %row : i32
  %y1 = arith.addi %tid, %c1 overflow<no_wrap> : i32
  %y2 = arith.addi %tid, %c2 overflow<no_wrap> : i32
  %y3 = arith.addi %tid, %c3 overflow<no_wrap> : i32
  %e = arith.cmpi sge, %row, %y1 : i32
  %f = arith.cmpi sge, %row, %y2 : i32
  %g = arith.cmpi sge, %row, %y3 : i32
  nvvm.st %p, %a : !nvvm.ptr<1>, i1
  nvvm.st %p, %b : !nvvm.ptr<1>, i1
  nvvm.st %p, %c : !nvvm.ptr<1>, i1
  nvvm.st %p, %d : !nvvm.ptr<1>, i1
  nvvm.st %p, %e : !nvvm.ptr<1>, i1
  nvvm.st %p, %f : !nvvm.ptr<1>, i1
  nvvm.st %p, %g : !nvvm.ptr<1>, i1
  nvvm.return
}
