// RUN: tile-opt %s --nvvm-sink | FileCheck %s

// What only one branch uses is computed there, with what it alone is computed from; what both use stays before them, and nothing moves into a loop.
// CHECK-LABEL: nvvm.func @branches
// CHECK-NEXT: %both = arith.addi
// CHECK-NEXT: cf.cond_br
// CHECK: ^bb1:
// CHECK-NEXT: %first = arith.muli
// CHECK-NEXT: %one = arith.addi
// CHECK: ^bb2:
// CHECK-NEXT: arith.xori
nvvm.func @branches(%p: !nvvm.ptr<1>, %x: i32, %c: i1) {
  %both = arith.addi %x, %x : i32
  %first = arith.muli %x, %x : i32
  %one = arith.addi %first, %x : i32
  cf.cond_br %c, ^a, ^b
^a:
  nvvm.st %p, %one : !nvvm.ptr<1>, i32
  nvvm.st %p + 4, %both : !nvvm.ptr<1>, i32
  cf.br ^end
^b:
  %other = arith.xori %both, %x : i32
  nvvm.st %p, %other : !nvvm.ptr<1>, i32
  cf.br ^end
^end:
  nvvm.return
}

// The value is used in a loop only, and stays before it.
// CHECK-LABEL: nvvm.func @unchanged_loop
// CHECK-NEXT: %step = arith.addi
nvvm.func @unchanged_loop(%p: !nvvm.ptr<1>, %x: i32, %n: i32) {
  %step = arith.addi %x, %x : i32
  cf.br ^head(%x : i32)
^head(%i: i32):
  %next = arith.addi %i, %step : i32
  %again = arith.cmpi slt, %next, %n : i32
  cf.cond_br %again, ^head(%next : i32), ^end
^end:
  nvvm.st %p, %next : !nvvm.ptr<1>, i32
  nvvm.return
}

// Two values would have to live longer for one.
// CHECK-LABEL: nvvm.func @unchanged_operands
// CHECK: %sum = arith.addi
// CHECK-NEXT: cf.br
nvvm.func @unchanged_operands(%p: !nvvm.ptr<1>) {
  %a = nvvm.ld %p : !nvvm.ptr<1> -> i32
  %b = nvvm.ld %p + 4 : !nvvm.ptr<1> -> i32
  %sum = arith.addi %a, %b : i32
  cf.br ^next
^next:
  nvvm.st %p, %sum : !nvvm.ptr<1>, i32
  nvvm.return
}
