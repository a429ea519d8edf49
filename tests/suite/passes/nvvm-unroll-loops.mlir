// RUN: tile-opt %s --split-input-file --nvvm-unroll-loops | FileCheck %s
// RUN: tile-opt %s --split-input-file --nvvm-unroll-loops='max-trips=2' | FileCheck %s --check-prefix=TWO

// Three iterations from 1 in steps of 2, in order; what is used after the loop is what the header would have had last.
// CHECK-LABEL: nvvm.func @thrice
// CHECK-DAG: %[[SECOND:.*]] = arith.constant 12 : i32
// CHECK-DAG: %[[THIRD:.*]] = arith.constant 20 : i32
// CHECK-DAG: %[[LAST:.*]] = arith.constant 7 : i32
// CHECK: %[[S1:.*]] = arith.addf %x, %x : f32
// CHECK: nvvm.ptradd %p, %four
// CHECK: %[[S2:.*]] = arith.addf %[[S1]], %x : f32
// CHECK: nvvm.ptradd %p, %[[SECOND]]
// CHECK: %[[S3:.*]] = arith.addf %[[S2]], %x : f32
// CHECK: nvvm.ptradd %p, %[[THIRD]]
// CHECK: cf.br ^[[END:bb[0-9]+]](%[[LAST]], %[[S3]] : i32, f32)
// CHECK: ^[[END]](%[[I:.*]]: i32, %[[SUM:.*]]: f32):
// CHECK-NOT: cf.cond_br
// CHECK: nvvm.st %p + 64, %[[I]]
// CHECK: nvvm.st %p + 68, %[[SUM]]
// TWO-LABEL: nvvm.func @thrice
// TWO: cf.cond_br
nvvm.func @thrice(%p: !nvvm.ptr<1>, %x: f32) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %six = arith.constant 6 : i32
  %four = arith.constant 4 : i32
  cf.br ^head(%one, %x : i32, f32)
^head(%i: i32, %sum: f32):
  %more = arith.cmpi slt, %i, %six : i32
  cf.cond_br %more, ^body, ^end
^body:
  %next = arith.addf %sum, %x : f32
  %off = arith.muli %i, %four : i32
  %at = nvvm.ptradd %p, %off : !nvvm.ptr<1>, i32
  nvvm.st %at, %next : !nvvm.ptr<1>, f32
  %j = arith.addi %i, %two : i32
  cf.br ^head(%j, %next : i32, f32)
^end:
  nvvm.st %p + 64, %i : !nvvm.ptr<1>, i32
  nvvm.st %p + 68, %sum : !nvvm.ptr<1>, f32
  nvvm.return
}

// -----

// The body has branches; then the loop around is an innermost one, and unrolled too. A loop that does not run is gone.
// CHECK-LABEL: nvvm.func @nested
// CHECK-COUNT-4: nvvm.st %p, %{{.*}} : !nvvm.ptr<1>, i32
// CHECK-NOT: nvvm.st
// CHECK: nvvm.return
nvvm.func @nested(%p: !nvvm.ptr<1>, %c: i1, %k: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  cf.br ^never(%two : i32)
^never(%n: i32):
  %some = arith.cmpi slt, %n, %one : i32
  cf.cond_br %some, ^nobody, ^before
^nobody:
  nvvm.st %p + 8, %n : !nvvm.ptr<1>, i32
  %m = arith.addi %n, %one : i32
  cf.br ^never(%m : i32)
^before:
  cf.br ^outer(%zero : i32)
^outer(%i: i32):
  %a = arith.cmpi ult, %i, %two : i32
  cf.cond_br %a, ^enter, ^end
^enter:
  cf.br ^inner(%zero : i32)
^inner(%j: i32):
  %b = arith.cmpi slt, %j, %two : i32
  cf.cond_br %b, ^body, ^next
^body:
  cf.cond_br %c, ^store, ^skip
^store:
  %v = arith.addi %k, %j : i32
  nvvm.st %p, %v : !nvvm.ptr<1>, i32
  cf.br ^skip
^skip:
  %j1 = arith.addi %j, %one : i32
  cf.br ^inner(%j1 : i32)
^next:
  %i1 = arith.addi %i, %one : i32
  cf.br ^outer(%i1 : i32)
^end:
  nvvm.return
}

// -----

// Not: bounds that are not known, ones that the counter only reaches when it wraps, too many iterations, a way out in the middle.
nvvm.func @unchanged_bounds(%p: !nvvm.ptr<1>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  nvvm.st %p, %i : !nvvm.ptr<1>, i32
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j : i32)
^end:
  nvvm.return
}

nvvm.func @unchanged_wraps(%p: !nvvm.ptr<1>) {
  %first = arith.constant 2147483640 : i32
  %last = arith.constant 2147483647 : i32
  %two = arith.constant 2 : i32
  cf.br ^head(%first : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %last : i32
  cf.cond_br %more, ^body, ^end
^body:
  nvvm.st %p, %i : !nvvm.ptr<1>, i32
  %j = arith.addi %i, %two : i32
  cf.br ^head(%j : i32)
^end:
  nvvm.return
}

// The distance takes all 64 bits: rounded up by the step in 64 bits it would be none.
nvvm.func @unchanged_far(%p: !nvvm.ptr<1>) {
  %first = arith.constant -9223372036854775808 : i64
  %last = arith.constant 9223372036854775807 : i64
  %two = arith.constant 2 : i64
  cf.br ^head(%first : i64)
^head(%i: i64):
  %more = arith.cmpi slt, %i, %last : i64
  cf.cond_br %more, ^body, ^end
^body:
  nvvm.st %p, %i : !nvvm.ptr<1>, i64
  %j = arith.addi %i, %two : i64
  cf.br ^head(%j : i64)
^end:
  nvvm.return
}

// From -1 on in steps of 2^62 + 1, the second number after it is the largest and the next wraps.
nvvm.func @unchanged_wraps_from_below(%p: !nvvm.ptr<1>) {
  %first = arith.constant -1 : i64
  %last = arith.constant 9223372036854775807 : i64
  %by = arith.constant 4611686018427387905 : i64
  cf.br ^head(%first : i64)
^head(%i: i64):
  %more = arith.cmpi slt, %i, %last : i64
  cf.cond_br %more, ^body, ^end
^body:
  nvvm.st %p, %i : !nvvm.ptr<1>, i64
  %j = arith.addi %i, %by : i64
  cf.br ^head(%j : i64)
^end:
  nvvm.return
}

nvvm.func @unchanged_many(%p: !nvvm.ptr<1>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 100 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %last : i32
  cf.cond_br %more, ^body, ^end
^body:
  nvvm.st %p, %i : !nvvm.ptr<1>, i32
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j : i32)
^end:
  nvvm.return
}

nvvm.func @unchanged_break(%p: !nvvm.ptr<1>, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %four : i32
  cf.cond_br %more, ^body, ^end
^body:
  nvvm.st %p, %i : !nvvm.ptr<1>, i32
  cf.cond_br %c, ^end, ^latch
^latch:
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j : i32)
^end:
  nvvm.return
}
