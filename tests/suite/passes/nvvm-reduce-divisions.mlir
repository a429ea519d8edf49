// RUN: tile-opt %s --split-input-file --nvvm-reduce-divisions | FileCheck %s

// Numbers that are not negative have no signs; those of 64 bits that fit in 32 are divided there; a ceiling is a division of the sum where that does not overflow.
// CHECK-LABEL: nvvm.func @ranges
// CHECK: %[[W:.*]] = arith.trunci %wide : i64 to i32
// CHECK: arith.divui %[[W]], %{{.*}} : i32
// CHECK: arith.subi %m, %{{.*}} : i32
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: arith.divui %[[SUM]], %m : i32
// CHECK-NOT: arith.ceildiv
// CHECK-NOT: arith.floordiv
nvvm.func @ranges(%p: !nvvm.ptr<1>, %d: i32) {
  %mask = arith.constant 1023 : i32
  %m = arith.andi %d, %mask : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %wide = arith.extui %tid : i32 to i64
  %long = arith.extui %m : i32 to i64
  %a = arith.floordivsi %wide, %long : i64
  %b = arith.ceildivsi %tid, %m : i32
  nvvm.st %p, %a : !nvvm.ptr<1>, i64
  nvvm.st %p + 8, %b : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// An upper bound of the dividend avoids the longer sequence for a constant whose multiplier has 33 bits: a multiplication and a shift. Others are left to nvvm-legalize-arith.
// CHECK-LABEL: nvvm.func @constants
// CHECK: %[[HIGH:.*]] = arith.mulhui %half, %{{.*}} : i32
// CHECK-NEXT: %[[K:.*]] = arith.constant 2 : i32
// CHECK-NEXT: arith.shrui %[[HIGH]], %[[K]] : i32
// CHECK-NEXT: nvvm.st
// CHECK-NEXT: arith.divui %x, %seven : i32
nvvm.func @constants(%p: !nvvm.ptr<1>, %x: i32) {
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %half = arith.shrui %x, %one : i32
  %a = arith.divui %half, %seven : i32
  nvvm.st %p, %a : !nvvm.ptr<1>, i32
  %b = arith.divui %x, %seven : i32
  nvvm.st %p + 4, %b : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// The remainder is what the quotient leaves, in either order.
// CHECK-LABEL: nvvm.func @both
// CHECK-NEXT: %q = arith.divsi %x, %y : i32
// CHECK-NEXT: %[[P:.*]] = arith.muli %q, %y : i32
// CHECK-NEXT: %[[R:.*]] = arith.subi %x, %[[P]] : i32
// CHECK-NEXT: nvvm.st %p, %[[R]]
// CHECK-NEXT: nvvm.st %p + 4, %q
nvvm.func @both(%p: !nvvm.ptr<1>, %x: i32, %y: i32) {
  %r = arith.remsi %x, %y : i32
  nvvm.st %p, %r : !nvvm.ptr<1>, i32
  %q = arith.divsi %x, %y : i32
  nvvm.st %p + 4, %q : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// The divisor is invariant: the multiplier is computed before the loop. The counter is below 2^31, so that three operations are left.
// CHECK-LABEL: nvvm.func @invariant
// CHECK: arith.maxui %d, %{{.*}} : i32
// CHECK: arith.uitofp %{{.*}} rounding<zero> : i32 to f32
// CHECK: %[[LOG:.*]] = arith.maxsi
// CHECK: arith.divui %{{.*}}, %{{.*}} : i64
// CHECK: %[[M:.*]] = arith.addi
// CHECK: cf.br
// CHECK: cf.cond_br
// CHECK: %[[TWICE:.*]] = arith.addi %i, %i : i32
// CHECK-NEXT: %[[HIGH:.*]] = arith.mulhui %[[TWICE]], %[[M]] : i32
// CHECK-NEXT: %[[Q:.*]] = arith.shrui %[[HIGH]], %[[LOG]] : i32
// CHECK-NEXT: nvvm.st %p, %[[Q]]
nvvm.func @invariant(%p: !nvvm.ptr<1>, %n: i32, %d: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %q = arith.divui %i, %d : i32
  nvvm.st %p, %q : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %one overflow<no_signed_wrap> : i32
  cf.br ^head(%next : i32)
^end:
  nvvm.return
}

// -----

// A multiplier is not profitable for a loop of four iterations, nor possible for a divisor that changes.
// CHECK-LABEL: nvvm.func @unchanged_loops
nvvm.func @unchanged_loops(%p: !nvvm.ptr<1>, %n: i32, %d: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %four : i32
  cf.cond_br %more, ^body, ^second(%zero : i32)
^body:
  %q = arith.divsi %n, %d : i32
  nvvm.st %p, %q : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %one overflow<no_signed_wrap> : i32
  cf.br ^head(%next : i32)
^second(%j: i32):
  %again = arith.cmpi slt, %j, %n : i32
  cf.cond_br %again, ^inner, ^end
^inner:
  %by = nvvm.ld %p : !nvvm.ptr<1> -> i32
  %s = arith.divsi %n, %by : i32
  nvvm.st %p, %s : !nvvm.ptr<1>, i32
  %after = arith.addi %j, %one overflow<no_signed_wrap> : i32
  cf.br ^second(%after : i32)
^end:
  nvvm.return
}

// -----

// 64 bits first ask whether 32 do.
// CHECK-LABEL: nvvm.func @long
// CHECK: %[[D:.*]] = arith.trunci %y : i64 to i32
// CHECK: %[[OR:.*]] = arith.ori %x, %y : i64
// CHECK: %[[HIGH:.*]] = arith.shrui %[[OR]], %{{.*}} : i64
// CHECK: %[[WORD:.*]] = arith.trunci %[[HIGH]] : i64 to i32
// CHECK: %[[SHORT:.*]] = arith.cmpi eq, %[[WORD]], %{{.*}} : i32
// CHECK: cf.cond_br %[[SHORT]], ^[[YES:bb[0-9]+]], ^[[NO:bb[0-9]+]]
// CHECK: ^[[YES]]:
// CHECK: %[[X:.*]] = arith.trunci %x : i64 to i32
// CHECK: arith.divui %[[X]], %[[D]] : i32
// CHECK: ^[[NO]]:
// CHECK: arith.divsi %x, %y : i64
nvvm.func @long(%p: !nvvm.ptr<1>, %x: i64, %y: i64) {
  %q = arith.divsi %x, %y : i64
  nvvm.st %p, %q : !nvvm.ptr<1>, i64
  nvvm.return
}

// -----

// One test serves the divisions of a block whose operands are there. %r is known to be short. The third divides what
// the first yields, so that it has a test of its own.
// CHECK-LABEL: nvvm.func @elements
// CHECK: %[[A:.*]] = arith.ori %x, %y : i64
// CHECK: %[[B:.*]] = arith.ori %[[A]], %z : i64
// CHECK: arith.shrui %[[B]], %{{.*}} : i64
// CHECK: cf.cond_br %{{.*}}, ^[[YES:bb[0-9]+]], ^[[NO:bb[0-9]+]]
// CHECK: ^[[YES]]:
// CHECK: arith.divui %{{.*}}, %{{.*}} : i32
// CHECK: arith.remui %{{.*}}, %{{.*}} : i32
// CHECK: cf.br ^[[REST:bb[0-9]+]]({{.*}}, {{.*}} : i64, i64)
// CHECK: ^[[NO]]:
// CHECK: arith.divsi %x, %y : i64
// CHECK: arith.remui %z, %r : i64
// CHECK: ^[[REST]](%[[Q:.*]]: i64, %{{.*}}: i64):
// CHECK: arith.ori %[[Q]], %y : i64
// CHECK: arith.divui %{{.*}}, %{{.*}} : i32
// CHECK: arith.divui %[[Q]], %y : i64
nvvm.func @elements(%p: !nvvm.ptr<1>, %x: i64, %y: i64, %z: i64, %n: i32) {
  %r = arith.extui %n : i32 to i64
  %a = arith.divsi %x, %y : i64
  nvvm.st %p, %a : !nvvm.ptr<1>, i64
  %b = arith.remui %z, %r : i64
  nvvm.st %p + 8, %b : !nvvm.ptr<1>, i64
  %c = arith.divui %a, %y : i64
  nvvm.st %p + 16, %c : !nvvm.ptr<1>, i64
  nvvm.return
}

// -----

// Roundings of the same numbers share one quotient and one remainder.
// CHECK-LABEL: nvvm.func @roundings
// CHECK: %[[Q:.*]] = arith.divsi %x, %y : i32
// CHECK-NEXT: %[[P:.*]] = arith.muli %[[Q]], %y : i32
// CHECK-NEXT: %[[R:.*]] = arith.subi %x, %[[P]] : i32
// CHECK-NOT: arith.{{div|rem|ceil|floor|mul}}
// CHECK: nvvm.st %p + 8, %[[Q]] : !nvvm.ptr<1>, i32
// CHECK-NEXT: nvvm.st %p + 12, %[[R]] : !nvvm.ptr<1>, i32
nvvm.func @roundings(%p: !nvvm.ptr<1>, %x: i32, %y: i32) {
  %down = arith.floordivsi %x, %y : i32
  %up = arith.ceildivsi %x, %y : i32
  nvvm.st %p, %down : !nvvm.ptr<1>, i32
  nvvm.st %p + 4, %up : !nvvm.ptr<1>, i32
  %q = arith.divsi %x, %y : i32
  nvvm.st %p + 8, %q : !nvvm.ptr<1>, i32
  %r = arith.remsi %x, %y : i32
  nvvm.st %p + 12, %r : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// What has been tested is not tested again, and what is shifted up is not tested at all.
// CHECK-LABEL: nvvm.func @unchanged_long
nvvm.func @unchanged_long(%p: !nvvm.ptr<1>, %x: i64, %y: i64, %k: i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %half = arith.constant 32 : i64
  %power = arith.shli %one, %k : i64
  %below = arith.subi %power, %one : i64
  %r = arith.divui %below, %y : i64
  nvvm.st %p, %r : !nvvm.ptr<1>, i64
  %or = arith.ori %x, %y : i64
  %high = arith.shrui %or, %half : i64
  %word = arith.trunci %high : i64 to i32
  %short = arith.cmpi eq, %word, %zero : i32
  cf.cond_br %short, ^short, ^long
^short:
  nvvm.st %p, %x : !nvvm.ptr<1>, i64
  cf.br ^end
^long:
  %q = arith.divui %x, %y : i64
  nvvm.st %p, %q : !nvvm.ptr<1>, i64
  cf.br ^end
^end:
  nvvm.return
}

// -----

// One division of which nothing is known is as good as any; what is divided by a power of two, or rounded towards zero by a constant, is the matter of another pass.
// CHECK-LABEL: nvvm.func @unchanged_once
nvvm.func @unchanged_once(%p: !nvvm.ptr<1>, %x: i32, %y: i32) {
  %eight = arith.constant 8 : i32
  %ten = arith.constant 10 : i32
  %q = arith.divsi %x, %y : i32
  nvvm.st %p, %q : !nvvm.ptr<1>, i32
  %r = arith.divsi %x, %eight : i32
  nvvm.st %p, %r : !nvvm.ptr<1>, i32
  %s = arith.remsi %x, %ten : i32
  nvvm.st %p, %s : !nvvm.ptr<1>, i32
  %f = arith.floordivsi %x, %ten : i32
  nvvm.st %p, %f : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// The quotient of a number without a sign by a constant serves the remainder: one product with a reciprocal, not two.
// CHECK-LABEL: nvvm.func @constant_both
// CHECK-COUNT-1: arith.mulhui
// CHECK-NOT: arith.mulhui
// CHECK-NOT: arith.rem
nvvm.func @constant_both(%p: !nvvm.ptr<1>) {
  %three = arith.constant 3 : i32
  %x = nvvm.read.ptx.sreg.ctaid.x : i32
  %r = arith.remsi %x, %three : i32
  nvvm.st %p, %r : !nvvm.ptr<1>, i32
  %q = arith.floordivsi %x, %three : i32
  nvvm.st %p, %q : !nvvm.ptr<1>, i32
  nvvm.return
}
