// RUN: tile-opt %s --gpu-name=sm_80 --nvvm-pack-block-args | FileCheck %s

// The loop carries two halves that it packs in each iteration, and so does the code after it: it carries the register.
// CHECK-LABEL: nvvm.func @halves
// CHECK-NEXT: %w = nvvm.ld %p
// CHECK: cf.br ^bb1(%n, %w : i32, i32)
// CHECK-NEXT: ^bb1(%i: i32, %[[WORD:[^:]*]]: i32):
// CHECK: cf.cond_br %more, ^bb2, ^bb3(%[[WORD]] : i32)
// CHECK: ^bb2:
// CHECK-NEXT: nvvm.st %p, %[[WORD]]
// CHECK-NEXT: %v = nvvm.ld
// CHECK: cf.br ^bb1(%{{.*}}, %v : i32, i32)
// CHECK: ^bb3(%[[LAST:[^:]*]]: i32):
// CHECK-NEXT: nvvm.st %p, %[[LAST]]
nvvm.func @halves(%p: !nvvm.ptr<1>, %n: i32) {
  %w = nvvm.ld %p : !nvvm.ptr<1> -> i32
  %w0, %w1 = nvvm.unpack %w : i32 -> f16, f16
  cf.br ^head(%n, %w0, %w1 : i32, f16, f16)
^head(%i: i32, %a: f16, %b: f16):
  %zero = arith.constant 0 : i32
  %more = arith.cmpi sgt, %i, %zero : i32
  cf.cond_br %more, ^body, ^end(%a, %b : f16, f16)
^body:
  %x = nvvm.pack %a, %b : f16, f16 -> i32
  nvvm.st %p, %x : !nvvm.ptr<1>, i32
  %v = nvvm.ld %p + 4 : !nvvm.ptr<1> -> i32
  %v0, %v1 = nvvm.unpack %v : i32 -> f16, f16
  %one = arith.constant 1 : i32
  %next = arith.subi %i, %one : i32
  cf.br ^head(%next, %v0, %v1 : i32, f16, f16)
^end(%c: f16, %d: f16):
  %y = nvvm.pack %c, %d : f16, f16 -> i32
  nvvm.st %p, %y : !nvvm.ptr<1>, i32
  nvvm.return
}

// Halves that an edge does not have in one register are packed before it, if the branch has no other successors; four bytes are a register as well.
// CHECK-LABEL: nvvm.func @bytes
// CHECK: %[[JOINED:[^ ]*]] = nvvm.pack %b0#0, %b0#1, %b0#2, %b0#3
// CHECK-NEXT: cf.br ^bb2(%[[JOINED]] : i32)
// CHECK: ^bb2(%[[WORD:[^:]*]]: i32):
// CHECK-NEXT: nvvm.st %p, %[[WORD]]
nvvm.func @bytes(%p: !nvvm.ptr<1>, %c: i1, %w: i32) {
  %w0, %w1, %w2, %w3 = nvvm.unpack %w : i32 -> i8, i8, i8, i8
  cf.cond_br %c, ^other, ^end(%w0, %w1, %w2, %w3 : i8, i8, i8, i8)
^other:
  %b0:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  cf.br ^end(%b0#0, %b0#1, %b0#2, %b0#3 : i8, i8, i8, i8)
^end(%x0: i8, %x1: i8, %x2: i8, %x3: i8):
  %x = nvvm.pack %x0, %x1, %x2, %x3 : i8, i8, i8, i8 -> i32
  nvvm.st %p, %x : !nvvm.ptr<1>, i32
  nvvm.return
}

// One half is used by itself.
// CHECK-LABEL: nvvm.func @unchanged_half
// CHECK: ^bb1(%a: f16, %b: f16):
nvvm.func @unchanged_half(%p: !nvvm.ptr<1>, %w: i32) {
  %w0, %w1 = nvvm.unpack %w : i32 -> f16, f16
  cf.br ^next(%w0, %w1 : f16, f16)
^next(%a: f16, %b: f16):
  %x = nvvm.pack %a, %b : f16, f16 -> i32
  nvvm.st %p, %x : !nvvm.ptr<1>, i32
  nvvm.st %p + 4, %a : !nvvm.ptr<1>, f16
  nvvm.return
}

// The halves come in the other order on one edge, which leads elsewhere too.
// CHECK-LABEL: nvvm.func @unchanged_order
// CHECK: ^bb2(%a: f16, %b: f16):
nvvm.func @unchanged_order(%p: !nvvm.ptr<1>, %c: i1, %w: i32) {
  %w0, %w1 = nvvm.unpack %w : i32 -> f16, f16
  cf.cond_br %c, ^other, ^next(%w1, %w0 : f16, f16)
^other:
  cf.br ^next(%w0, %w1 : f16, f16)
^next(%a: f16, %b: f16):
  %x = nvvm.pack %a, %b : f16, f16 -> i32
  nvvm.st %p, %x : !nvvm.ptr<1>, i32
  nvvm.return
}

// Bytes of loaded words are carried as words, and taken apart where they are used.
// CHECK-LABEL: nvvm.func @loaded_bytes
// CHECK: %[[FIRST:[^ ]*]] = nvvm.pack %a#0, %a#1, %a#2, %a#3
// CHECK: cf.br ^bb1(%n, %[[FIRST]] : i32, i32)
// CHECK: ^bb1(%i: i32, %[[WORD:[^:]*]]: i32):
// CHECK: cf.cond_br %more, ^bb2, ^bb3(%[[WORD]] : i32)
// CHECK: ^bb2:
// CHECK-NEXT: nvvm.unpack %[[WORD]] : i32 -> f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN
// CHECK: %[[NEXT:[^ ]*]] = nvvm.pack %b#0, %b#1, %b#2, %b#3
// CHECK: ^bb3(%[[LAST:[^:]*]]: i32):
// CHECK-NEXT: nvvm.unpack %[[LAST]]
nvvm.func @loaded_bytes(%p: !nvvm.ptr<1>, %n: i32) {
  %a:4 = nvvm.ld %p : !nvvm.ptr<1> -> f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN
  cf.br ^head(%n, %a#0, %a#1, %a#2, %a#3 : i32, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN)
^head(%i: i32, %w: f8E4M3FN, %x: f8E4M3FN, %y: f8E4M3FN, %z: f8E4M3FN):
  %zero = arith.constant 0 : i32
  %more = arith.cmpi sgt, %i, %zero : i32
  cf.cond_br %more, ^body, ^end(%w, %x, %y, %z : f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN)
^body:
  %one = arith.constant 1 : i32
  %b:4 = nvvm.ld %p + 4 : !nvvm.ptr<1> -> f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN
  %f0 = arith.ftof %w : f8E4M3FN to f16
  %f1 = arith.ftof %x : f8E4M3FN to f16
  %f2 = arith.ftof %y : f8E4M3FN to f16
  %f3 = arith.ftof %z : f8E4M3FN to f16
  nvvm.st %p + 8, %f0, %f1, %f2, %f3 : !nvvm.ptr<1>, f16, f16, f16, f16
  %next = arith.subi %i, %one : i32
  cf.br ^head(%next, %b#0, %b#1, %b#2, %b#3 : i32, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN)
^end(%s: f8E4M3FN, %t: f8E4M3FN, %u: f8E4M3FN, %v: f8E4M3FN):
  %g = arith.ftof %v : f8E4M3FN to f16
  nvvm.st %p, %g : !nvvm.ptr<1>, f16
  nvvm.return
}

// Bytes that something else reads too are taken apart where they are loaded.
// CHECK-LABEL: nvvm.func @unchanged_bytes
// CHECK: ^bb1(%w: i8, %x: i8, %y: i8, %z: i8):
nvvm.func @unchanged_bytes(%p: !nvvm.ptr<1>) {
  %a:4 = nvvm.ld %p : !nvvm.ptr<1> -> i8, i8, i8, i8
  nvvm.st %p + 4, %a#1 : !nvvm.ptr<1>, i8
  cf.br ^next(%a#0, %a#1, %a#2, %a#3 : i8, i8, i8, i8)
^next(%w: i8, %x: i8, %y: i8, %z: i8):
  nvvm.st %p, %z, %y, %x, %w : !nvvm.ptr<1>, i8, i8, i8, i8
  nvvm.return
}

// After the loop, the halves are used one by one: there they are split, and the loop carries the register. So it is where the code after the loop uses what the loop carries itself, and where the loop passes it on.
// CHECK-LABEL: nvvm.func @split_after
// CHECK: ^bb1(%{{[^:]*}}: i32, %[[WORD:[^:]*]]: i32):
// CHECK-NOT: nvvm.unpack
// CHECK: cf.cond_br %more, ^bb2, ^bb3(%[[WORD]] : i32)
// CHECK: ^bb2:
// CHECK-NEXT: nvvm.st %p, %[[WORD]]
// CHECK-NOT: nvvm.unpack
// CHECK: ^bb3(%[[LAST:[^:]*]]: i32):
// CHECK-DAG: nvvm.unpack %[[LAST]]
// CHECK-DAG: nvvm.unpack %[[WORD]]
nvvm.func @split_after(%p: !nvvm.ptr<1>, %n: i32) {
  %z = arith.constant 0.0 : f16
  cf.br ^head(%n, %z, %z : i32, f16, f16)
^head(%i: i32, %a: f16, %b: f16):
  %zero = arith.constant 0 : i32
  %more = arith.cmpi sgt, %i, %zero : i32
  cf.cond_br %more, ^body, ^end(%a, %b : f16, f16)
^body:
  %x = nvvm.pack %a, %b : f16, f16 -> i32
  nvvm.st %p, %x : !nvvm.ptr<1>, i32
  %v = nvvm.ld %p + 4 : !nvvm.ptr<1> -> i32
  %v0, %v1 = nvvm.unpack %v : i32 -> f16, f16
  %one = arith.constant 1 : i32
  %next = arith.subi %i, %one : i32
  cf.br ^head(%next, %v0, %v1 : i32, f16, f16)
^end(%c: f16, %d: f16):
  %e = arith.ftof %c : f16 to f32
  %f = arith.ftof %d : f16 to f32
  %g = arith.ftof %b : f16 to f32
  nvvm.st %p, %e : !nvvm.ptr<1>, f32
  nvvm.st %p, %f : !nvvm.ptr<1>, f32
  nvvm.st %p, %g : !nvvm.ptr<1>, f32
  nvvm.return
}

// A thread holds seven predicates. Of more that blocks pass, each is a number: true is 1, and a choice takes the place of
// a conjunction. Code after the loop tests it.
// CHECK-LABEL: nvvm.func @predicates
// CHECK: %[[START:.*]] = arith.extui %s : i1 to i32
// CHECK: %[[TRUE:.*]] = arith.constant 1 : i32
// CHECK: cf.br ^bb1(%n, %[[START]], %[[TRUE]], %[[START]]
// CHECK-NEXT: ^bb1(%i: i32, %[[A:[^:]*]]: i32, %[[B:[^:]*]]: i32, {{.*}}: i32):
// CHECK: %[[TESTED:.*]] = arith.cmpi ne, %[[B]]
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq, %v, %i
// CHECK: %[[CHOSEN:.*]] = arith.select %[[EQUAL]], %[[A]], %{{.*}} : i1, i32
// CHECK: cf.cond_br %more, ^bb1(%next, %[[CHOSEN]], %[[B]], {{.*}}), ^bb2(%[[TESTED]] : i1)
nvvm.func @predicates(%p: !nvvm.ptr<1>, %n: i32, %s: i1) attributes {nvvm.reqntid = array<i32: 32>} {
  %true = arith.constant true
  cf.br ^head(%n, %s, %true, %s, %s, %s, %s, %s, %s : i32, i1, i1, i1, i1, i1, i1, i1, i1)
^head(%i: i32, %a: i1, %b: i1, %c: i1, %d: i1, %e: i1, %f: i1, %g: i1, %h: i1):
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = nvvm.ld %p : !nvvm.ptr<1> -> i32
  %cond = arith.cmpi eq, %v, %i : i32
  %q = arith.andi %a, %cond : i1
  %next = arith.subi %i, %one : i32
  %more = arith.cmpi sgt, %i, %zero : i32
  cf.cond_br %more, ^head(%next, %q, %b, %c, %d, %e, %f, %g, %h : i32, i1, i1, i1, i1, i1, i1, i1, i1), ^end(%b : i1)
^end(%last: i1):
  %u = arith.extui %last : i1 to i32
  nvvm.st %p, %u : !nvvm.ptr<1>, i32
  nvvm.return
}

// CHECK-LABEL: nvvm.func @seven_predicates
// CHECK: ^bb1(%i: i32, %a: i1, %b: i1
nvvm.func @seven_predicates(%p: !nvvm.ptr<1>, %n: i32, %s: i1) attributes {nvvm.reqntid = array<i32: 32>} {
  %true = arith.constant true
  cf.br ^head(%n, %s, %true, %s, %s, %s, %s, %s : i32, i1, i1, i1, i1, i1, i1, i1)
^head(%i: i32, %a: i1, %b: i1, %c: i1, %d: i1, %e: i1, %f: i1, %g: i1):
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = nvvm.ld %p : !nvvm.ptr<1> -> i32
  %cond = arith.cmpi eq, %v, %i : i32
  %q = arith.andi %a, %cond : i1
  %next = arith.subi %i, %one : i32
  %more = arith.cmpi sgt, %i, %zero : i32
  cf.cond_br %more, ^head(%next, %q, %b, %c, %d, %e, %f, %g : i32, i1, i1, i1, i1, i1, i1, i1), ^end(%b : i1)
^end(%last: i1):
  %u = arith.extui %last : i1 to i32
  nvvm.st %p, %u : !nvvm.ptr<1>, i32
  nvvm.return
}
