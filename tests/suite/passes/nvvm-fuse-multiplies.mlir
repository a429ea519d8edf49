// RUN: tile-opt %s --nvvm-fuse-multiplies | FileCheck %s

// An extension and a multiplication are one instruction, also of two variables where nothing loops.
// CHECK-LABEL: nvvm.func @wide
// CHECK-NEXT: [[C:%[0-9]+]] = arith.constant 12 : i32
// CHECK-NEXT: {{%[0-9]+}} = nvvm.mul.wide %n, [[C]]
// CHECK: nvvm.mul.wide unsigned %n
// CHECK-NEXT: {{%[0-9]+}} = nvvm.mul.wide %n, %m
// CHECK-NOT: arith.ext
nvvm.func @wide(%p: !nvvm.ptr<1>, %n: i32, %m: i32) {
  %c12 = arith.constant 12 : i64
  %s = arith.extsi %n : i32 to i64
  %u = arith.extui %n : i32 to i64
  %t = arith.extsi %m : i32 to i64
  %signed = arith.muli %s, %c12 : i64
  %unsigned = arith.muli %u, %c12 : i64
  %both = arith.muli %s, %t : i64
  nvvm.st %p, %signed : !nvvm.ptr<1>, i64
  nvvm.st %p, %unsigned : !nvvm.ptr<1>, i64
  nvvm.st %p, %both : !nvvm.ptr<1>, i64
  nvvm.return
}

// What is added to a product is part of its instruction, unless others need the product.
// CHECK-LABEL: nvvm.func @added
// CHECK-NEXT: {{%[0-9]+}} = nvvm.mad.lo %x, %y, %p : i64, i64, !nvvm.ptr<1>
// CHECK-NEXT: {{%[0-9]+}} = nvvm.mad.lo %n, %n, %n : i32, i32, i32
// CHECK-NEXT: %twice = arith.muli %y, %y
// CHECK-NEXT: %z = arith.addi %twice, %x
nvvm.func @added(%p: !nvvm.ptr<1>, %x: i64, %y: i64, %n: i32) {
  %d = arith.muli %x, %y : i64
  %q = nvvm.ptradd %p, %d : !nvvm.ptr<1>, i64
  %m = arith.muli %n, %n : i32
  %s = arith.addi %n, %m : i32
  %twice = arith.muli %y, %y : i64
  %z = arith.addi %twice, %x : i64
  nvvm.st %q, %s : !nvvm.ptr<1>, i32
  nvvm.st %q, %twice : !nvvm.ptr<1>, i64
  nvvm.st %q, %z : !nvvm.ptr<1>, i64
  nvvm.return
}

// The machine shifts 64 bits in two instructions and multiplies them in three. 2^63 is a power of two as well.
// CHECK-LABEL: nvvm.func @shifted
// CHECK: [[C:%[0-9]+]] = arith.constant 3
// CHECK-NEXT: {{%[0-9]+}} = arith.shli %x, [[C]]
// CHECK: [[D:%[0-9]+]] = arith.constant 63
// CHECK-NEXT: {{%[0-9]+}} = arith.shli %x, [[D]]
nvvm.func @shifted(%p: !nvvm.ptr<1>, %x: i64) {
  %c8 = arith.constant 8 : i64
  %most = arith.constant -9223372036854775808 : i64
  %d = arith.muli %x, %c8 : i64
  %e = arith.muli %x, %most : i64
  nvvm.st %p, %d : !nvvm.ptr<1>, i64
  nvvm.st %p, %e : !nvvm.ptr<1>, i64
  nvvm.return
}

// A constant that does not fit 32 bits is no factor of mul.wide. Products that another block adds stay where they are,
// and two variables stay apart where there is a loop.
// CHECK-LABEL: nvvm.func @unchanged_loop
nvvm.func @unchanged_loop(%p: !nvvm.ptr<1>, %n: i32, %m: i32) {
  %c = arith.constant 4294967297 : i64
  %s = arith.extsi %n : i32 to i64
  %t = arith.extsi %m : i32 to i64
  %d = arith.muli %s, %t : i64
  %e = arith.muli %s, %c : i64
  cf.br ^head(%e : i64)
^head(%i: i64):
  %next = arith.addi %d, %i : i64
  %again = arith.cmpi slt, %next, %c : i64
  cf.cond_br %again, ^head(%next : i64), ^end
^end:
  nvvm.st %p, %next : !nvvm.ptr<1>, i64
  nvvm.return
}

// A product of two variables is widened in the loop that needs it alone, and not in front of a loop that needs it.
// CHECK-LABEL: nvvm.func @nested
// CHECK: %before = arith.muli
// CHECK: nvvm.mul.wide %i, %m
nvvm.func @nested(%p: !nvvm.ptr<1>, %n: i32, %m: i32, %again: i1) {
  %a = arith.extsi %n : i32 to i64
  %b = arith.extsi %m : i32 to i64
  %before = arith.muli %a, %b : i64
  %c0 = arith.constant 0 : i32
  cf.br ^head(%c0 : i32)
^head(%i: i32):
  %w = arith.extsi %i : i32 to i64
  %in = arith.muli %w, %b : i64
  %s = arith.addi %in, %before : i64
  nvvm.st %p, %s : !nvvm.ptr<1>, i64
  %next = arith.addi %i, %n : i32
  cf.cond_br %again, ^head(%next : i32), ^end
^end:
  nvvm.return
}

// A square uses its factor twice, which is erased once.
// CHECK-LABEL: nvvm.func @square
// CHECK: nvvm.mul.wide %n, %n
// CHECK-NOT: arith.extsi
nvvm.func @square(%p: !nvvm.ptr<1>, %n: i32) {
  %a = arith.extsi %n : i32 to i64
  %s = arith.muli %a, %a : i64
  nvvm.st %p, %s : !nvvm.ptr<1>, i64
  nvvm.return
}
