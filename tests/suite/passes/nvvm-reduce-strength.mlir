// RUN: tile-opt %s --gpu-name=sm_80 --nvvm-reduce-strength | FileCheck %s

// An address that takes more than a multiplication and an addition in each iteration is carried: it starts where the first iteration would, and grows by 64 * 2 bytes.
// CHECK-LABEL: nvvm.func @carried
// CHECK: %a = nvvm.ptradd %p, %b
// CHECK: %[[STEP:[^ ]*]] = arith.constant 128 : i64
// CHECK-NEXT: cf.br ^bb1(%{{.*}}, %a : i32, !nvvm.ptr<1>)
// CHECK-NEXT: ^bb1(%i: i32, %[[P:[^:]*]]: !nvvm.ptr<1>):
// CHECK: ^bb2:
// CHECK-NEXT: nvvm.ld %[[P]]
// CHECK-NOT: arith.muli
// CHECK: %[[NEXT:[^ ]*]] = nvvm.ptradd %[[P]], %[[STEP]]
// CHECK-NEXT: cf.br ^bb1(%next, %[[NEXT]]
nvvm.func @carried(%p: !nvvm.ptr<1>, %q: !nvvm.ptr<1>, %n: i32, %o: i64) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %64 = arith.constant 64 : i64
  %two = arith.constant 2 : i64
  cf.br ^head(%0 : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %k = arith.addi %i, %2 overflow<no_signed_wrap> : i32
  %w = arith.extsi %k : i32 to i64
  %e = arith.muli %w, %64 : i64
  %f = arith.addi %e, %o : i64
  %b = arith.muli %f, %two : i64
  %a = nvvm.ptradd %p, %b : !nvvm.ptr<1>, i64
  %x = nvvm.ld %a : !nvvm.ptr<1> -> i32
  nvvm.st %q, %x : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next : i32)
^end:
  nvvm.return
}

// The counter may wrap before it is widened.
// CHECK-LABEL: nvvm.func @unchanged_wraps
// CHECK: ^bb1(%i: i32):
nvvm.func @unchanged_wraps(%p: !nvvm.ptr<1>, %q: !nvvm.ptr<1>, %n: i32, %o: i64) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %64 = arith.constant 64 : i64
  %two = arith.constant 2 : i64
  cf.br ^head(%0 : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %k = arith.addi %i, %2 : i32
  %w = arith.extsi %k : i32 to i64
  %e = arith.muli %w, %64 : i64
  %f = arith.addi %e, %o : i64
  %b = arith.muli %f, %two : i64
  %a = nvvm.ptradd %p, %b : !nvvm.ptr<1>, i64
  %x = nvvm.ld %a : !nvvm.ptr<1> -> i32
  nvvm.st %q, %x : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next : i32)
^end:
  nvvm.return
}

// One multiplication and one addition are a single instruction, a step of 64 bits is two.
// CHECK-LABEL: nvvm.func @unchanged_cheap
// CHECK: ^bb1(%i: i32):
nvvm.func @unchanged_cheap(%p: !nvvm.ptr<1>, %q: !nvvm.ptr<1>, %n: i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %64 = arith.constant 64 : i64
  cf.br ^head(%0 : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %w = arith.extsi %i : i32 to i64
  %b = arith.muli %w, %64 : i64
  %a = nvvm.ptradd %p, %b : !nvvm.ptr<1>, i64
  %x = nvvm.ld %a : !nvvm.ptr<1> -> i32
  nvvm.st %q, %x : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next : i32)
^end:
  nvvm.return
}

// An address at an invariant distance is carried too, and the distance is needed before the loop only. The step is a parameter times one constant.
// CHECK-LABEL: nvvm.func @beside
// CHECK: %[[BY:[^ ]*]] = arith.constant 128 : i64
// CHECK-NEXT: arith.muli %stride, %[[BY]]
// CHECK: cf.br ^bb1(
// CHECK-NEXT: ^bb1(%i: i32, %[[P:[^:]*]]: !nvvm.ptr<1>, %[[Q:[^:]*]]: !nvvm.ptr<1>):
// CHECK: ^bb2:
// CHECK-NEXT: %x = nvvm.ld %[[P]]
// CHECK-NEXT: %y = nvvm.ld %[[Q]]
// CHECK: nvvm.ptradd %[[P]], %[[STEP:[^ ]*]] : !nvvm.ptr<1>, i64
// CHECK-NEXT: nvvm.ptradd %[[Q]], %[[STEP]] : !nvvm.ptr<1>, i64
nvvm.func @beside(%p: !nvvm.ptr<1>, %q: !nvvm.ptr<1>, %n: i32, %s: i32, %o: i64) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %64 = arith.constant 64 : i64
  %two = arith.constant 2 : i64
  %stride = arith.extsi %s : i32 to i64
  %bytes = arith.muli %stride, %two : i64
  %rows = arith.muli %bytes, %64 : i64
  cf.br ^head(%0 : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %w = arith.extsi %i : i32 to i64
  %e = arith.muli %w, %64 : i64
  %f = arith.addi %e, %o : i64
  %b = arith.muli %f, %bytes : i64
  %a = nvvm.ptradd %p, %b : !nvvm.ptr<1>, i64
  %x = nvvm.ld %a : !nvvm.ptr<1> -> i32
  %c = nvvm.ptradd %a, %rows : !nvvm.ptr<1>, i64
  %y = nvvm.ld %c : !nvvm.ptr<1> -> i32
  nvvm.st %q, %x : !nvvm.ptr<1>, i32
  nvvm.st %q + 4, %y : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next : i32)
^end:
  nvvm.return
}

// The counter of a circular buffer with stages of 16384 bytes counts in bytes, after the loop too.
// CHECK-LABEL: nvvm.func @ring
// CHECK: ^bb2:
// CHECK-NEXT: nvvm.ptradd %p, %slot
// CHECK: arith.constant 16384
// CHECK: arith.constant 32768
// CHECK: ^bb3(%l: i32):
// CHECK-NEXT: nvvm.ptradd %p, %l
nvvm.func @ring(%p: !nvvm.ptr<3>, %n: i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %size = arith.constant 16384 : i32
  cf.br ^head(%0, %0 : i32, i32)
^head(%i: i32, %slot: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end(%slot : i32)
^body:
  %b = arith.muli %slot, %size : i32
  %a = nvvm.ptradd %p, %b : !nvvm.ptr<3>, i32
  nvvm.st %a, %i : !nvvm.ptr<3>, i32
  %up = arith.addi %slot, %1 : i32
  %last = arith.cmpi eq, %slot, %2 : i32
  %after = arith.select %last, %0, %up : i1, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next, %after : i32, i32)
^end(%l: i32):
  %lb = arith.muli %l, %size : i32
  %la = nvvm.ptradd %p, %lb : !nvvm.ptr<3>, i32
  nvvm.st %la, %0 : !nvvm.ptr<3>, i32
  nvvm.return
}

// The number of the stage is stored as well.
// CHECK-LABEL: nvvm.func @unchanged_ring
// CHECK: arith.muli
nvvm.func @unchanged_ring(%p: !nvvm.ptr<3>, %n: i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %size = arith.constant 16384 : i32
  cf.br ^head(%0, %0 : i32, i32)
^head(%i: i32, %slot: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %b = arith.muli %slot, %size : i32
  %a = nvvm.ptradd %p, %b : !nvvm.ptr<3>, i32
  nvvm.st %a, %slot : !nvvm.ptr<3>, i32
  %up = arith.addi %slot, %1 : i32
  %last = arith.cmpi eq, %slot, %2 : i32
  %after = arith.select %last, %0, %up : i1, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next, %after : i32, i32)
^end:
  nvvm.return
}

// An index of 32 bits that is extended without a sign steps, where each sum and product is promised to be a number without one, or a counter that starts at 0 cannot become negative.
// CHECK-LABEL: nvvm.func @natural
// CHECK: ^bb1(%i: i32, %{{[^:]*}}: !nvvm.ptr<1>):
nvvm.func @natural(%p: !nvvm.ptr<1>, %q: !nvvm.ptr<1>, %n: i32, %o: i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %64 = arith.constant 64 : i32
  %two = arith.constant 2 : i64
  cf.br ^head(%0 : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %k = arith.addi %i, %2 overflow<no_signed_wrap> : i32
  %e = arith.muli %k, %64 overflow<no_unsigned_wrap> : i32
  %f = arith.addi %e, %o overflow<no_wrap> : i32
  %w = arith.extui %f : i32 to i64
  %b = arith.muli %w, %two : i64
  %a = nvvm.ptradd %p, %b : !nvvm.ptr<1>, i64
  %x = nvvm.ld %a : !nvvm.ptr<1> -> i32
  nvvm.st %q, %x : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next : i32)
^end:
  nvvm.return
}

// A promise for numbers with a sign says nothing of those without: the MMA may begin below 0.
// CHECK-LABEL: nvvm.func @unchanged_signed
// CHECK: ^bb1(%i: i32):
nvvm.func @unchanged_signed(%p: !nvvm.ptr<1>, %q: !nvvm.ptr<1>, %n: i32, %o: i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %64 = arith.constant 64 : i32
  %two = arith.constant 2 : i64
  cf.br ^head(%0 : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %k = arith.addi %i, %o overflow<no_signed_wrap> : i32
  %e = arith.muli %k, %64 overflow<no_signed_wrap> : i32
  %f = arith.addi %e, %o overflow<no_signed_wrap> : i32
  %w = arith.extui %f : i32 to i64
  %b = arith.muli %w, %two : i64
  %a = nvvm.ptradd %p, %b : !nvvm.ptr<1>, i64
  %x = nvvm.ld %a : !nvvm.ptr<1> -> i32
  nvvm.st %q, %x : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next : i32)
^end:
  nvvm.return
}

// So it is with a counter that begins below 0.
// CHECK-LABEL: nvvm.func @unchanged_below
// CHECK: ^bb1(%i: i32):
nvvm.func @unchanged_below(%p: !nvvm.ptr<1>, %q: !nvvm.ptr<1>, %n: i32, %o: i32) {
  %0 = arith.constant -8 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %64 = arith.constant 64 : i64
  %two = arith.constant 2 : i64
  cf.br ^head(%0 : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %k = arith.addi %i, %2 overflow<no_signed_wrap> : i32
  %w = arith.extui %k : i32 to i64
  %e = arith.muli %w, %64 : i64
  %f = arith.addi %e, %64 : i64
  %b = arith.muli %f, %two : i64
  %a = nvvm.ptradd %p, %b : !nvvm.ptr<1>, i64
  %x = nvvm.ld %a : !nvvm.ptr<1> -> i32
  nvvm.st %q, %x : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next : i32)
^end:
  nvvm.return
}

// An invariant multiplication may be in the loop, where licm leaves it if registers are few: the address it is part of is carried all the same.
// CHECK-LABEL: nvvm.func @product_inside
// CHECK: ^bb1(%i: i32, %[[P:[^:]*]]: !nvvm.ptr<1>):
// CHECK: ^bb2:
// CHECK-NEXT: nvvm.ld %[[P]]
// CHECK-NOT: arith.muli
// CHECK: nvvm.ptradd %[[P]], %{{.*}}
nvvm.func @product_inside(%p: !nvvm.ptr<1>, %q: !nvvm.ptr<1>, %n: i32, %row: i64, %stride: i64) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %128 = arith.constant 128 : i32
  cf.br ^head(%0 : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %k = arith.muli %i, %128 overflow<no_wrap> : i32
  %w = arith.extui %k : i32 to i64
  %r = arith.muli %row, %stride : i64
  %b = nvvm.ptradd %p, %r : !nvvm.ptr<1>, i64
  %a = nvvm.ptradd %b, %w : !nvvm.ptr<1>, i64
  %x = nvvm.ld %a : !nvvm.ptr<1> -> i32
  nvvm.st %q, %x : !nvvm.ptr<1>, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next : i32)
^end:
  nvvm.return
}

// Three stages in bytes, of which an iteration fills the one that the iteration before it emptied. That number is carried
// instead of computed: the stage before the first one is the last.
// CHECK-LABEL: nvvm.func @before
// CHECK: [[LAST:%[0-9]+]] = arith.constant 32768 : i32
// CHECK-NEXT: cf.br ^[[HEAD:bb[0-9]+]](%{{[0-9]+}}, %{{[0-9]+}}, [[LAST]] : i32, i32, i32)
// CHECK: ^[[HEAD]](%i: i32, %slot: i32, [[BEFORE:%[^:]*]]: i32):
// CHECK: %ba = nvvm.ptradd %p, [[BEFORE]]
// CHECK: %a = nvvm.ptradd %p, %slot
// CHECK: cf.br ^[[HEAD]](%{{.*}}, %{{.*}}, %slot : i32, i32, i32)
nvvm.func @before(%p: !nvvm.ptr<3>, %n: i32) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %minus = arith.constant -1 : i32
  %size = arith.constant 16384 : i32
  cf.br ^head(%0, %0 : i32, i32)
^head(%i: i32, %slot: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %far = arith.addi %slot, %2 : i32
  %near = arith.addi %slot, %minus : i32
  %first = arith.cmpi ult, %slot, %1 : i32
  %before = arith.select %first, %far, %near : i1, i32
  %bb = arith.muli %before, %size : i32
  %ba = nvvm.ptradd %p, %bb : !nvvm.ptr<3>, i32
  nvvm.st %ba, %i : !nvvm.ptr<3>, i32
  %b = arith.muli %slot, %size : i32
  %a = nvvm.ptradd %p, %b : !nvvm.ptr<3>, i32
  nvvm.st %a, %i : !nvvm.ptr<3>, i32
  %up = arith.addi %slot, %1 : i32
  %last = arith.cmpi eq, %slot, %2 : i32
  %after = arith.select %last, %0, %up : i1, i32
  %next = arith.addi %i, %1 overflow<no_signed_wrap> : i32
  cf.br ^head(%next, %after : i32, i32)
^end:
  nvvm.return
}
