// RUN: tile-opt %s --gpu-name=sm_100 --nvvm-pair-floats | FileCheck %s

// Neighbours of a vector load are partners, and so is what is computed of them: the second of two moves up to the
// first. exp2 has no paired form, and hands the partnership on.
// CHECK-LABEL: nvvm.func @chain
// CHECK: %x0, %x1 = nvvm.ld
// CHECK-NEXT: %[[M:.*]]:2 = nvvm.mul.f32x2 %x0, %x1, %c, %c ftz
// CHECK-NEXT: %b = arith.exp2 %[[M]]#0
// CHECK-NEXT: %f = arith.exp2 %[[M]]#1
// CHECK-NEXT: %{{.*}}:2 = nvvm.add.f32x2 %b, %f, %[[M]]#0, %[[M]]#1
// CHECK-NOT: arith.addf
nvvm.func @chain(%p: !nvvm.ptr<1>) {
  %c = arith.constant 2.5 : f32
  %x0, %x1 = nvvm.ld %p : !nvvm.ptr<1> -> f32, f32
  %a = arith.mulf %x0, %c ftz : f32
  %b = arith.exp2 %a ftz : f32
  %d = arith.addf %b, %a : f32
  %e = arith.mulf %x1, %c ftz : f32
  %f = arith.exp2 %e ftz : f32
  %g = arith.addf %f, %e : f32
  nvvm.st %p, %d, %g : !nvvm.ptr<1>, f32, f32
  nvvm.return
}

// A value that both share takes a copy, which is not profitable for one addition, and is for two.
// CHECK-LABEL: nvvm.func @unchanged_shared
// CHECK: arith.addf %x0, %s
// CHECK: arith.addf %x1, %s
// CHECK-LABEL: nvvm.func @shared_twice
// CHECK: nvvm.add.f32x2 %x0, %x1, %s, %s
// CHECK-NEXT: %{{.*}}:2 = nvvm.add.f32x2 %x2, %x3, %s, %s
nvvm.func @unchanged_shared(%p: !nvvm.ptr<1>, %s: f32) {
  %x0, %x1 = nvvm.ld %p : !nvvm.ptr<1> -> f32, f32
  %a = arith.addf %x0, %s : f32
  %b = arith.addf %x1, %s : f32
  nvvm.st %p, %a, %b : !nvvm.ptr<1>, f32, f32
  nvvm.return
}
nvvm.func @shared_twice(%p: !nvvm.ptr<1>, %s: f32) {
  %x0, %x1, %x2, %x3 = nvvm.ld %p : !nvvm.ptr<1> -> f32, f32, f32, f32
  %a = arith.addf %x0, %s : f32
  %b = arith.addf %x1, %s : f32
  %c = arith.addf %x2, %s : f32
  %d = arith.addf %x3, %s : f32
  nvvm.st %p, %a, %b, %c, %d : !nvvm.ptr<1>, f32, f32, f32, f32
  nvvm.return
}

// Not partners: another rounding, which f32x2 is not used with; a subtraction beside an addition; an operand of both
// partners; what the second needs stands after the first and is no partner's.
// CHECK-LABEL: nvvm.func @unchanged_different
// CHECK-NOT: f32x2
// CHECK: nvvm.return
nvvm.func @unchanged_different(%p: !nvvm.ptr<1>) {
  %x0, %x1 = nvvm.ld %p : !nvvm.ptr<1> -> f32, f32
  %a = arith.addf %x0, %x0 rounding<zero> : f32
  %b = arith.addf %x1, %x1 rounding<zero> : f32
  %c = arith.addf %a, %a : f32
  %d = arith.subf %b, %b : f32
  %e = arith.mulf %x0, %x1 : f32
  %y = nvvm.ld %p + 8 : !nvvm.ptr<1> -> f32
  %f = arith.mulf %x1, %y : f32
  nvvm.st %p, %c, %d, %e, %f : !nvvm.ptr<1>, f32, f32, f32, f32
  nvvm.return
}

// Each element of a mask has its own bias. The third addition to %x1 finds no partner.
// CHECK-LABEL: nvvm.func @masked
// CHECK: %[[S:.*]]:2 = nvvm.add.f32x2 %x0, %x1, %b0, %b1
// CHECK: arith.addf %x1, %b2 : f32
// CHECK: nvvm.mul.f32x2 %[[S]]#0, %[[S]]#1, %[[S]]#0, %[[S]]#1
nvvm.func @masked(%p: !nvvm.ptr<1>, %n: i32) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e+30 : f32
  %i = arith.constant 1 : i32
  %j = arith.constant 2 : i32
  %x0, %x1 = nvvm.ld %p : !nvvm.ptr<1> -> f32, f32
  %c0 = arith.cmpi slt, %i, %n : i32
  %c1 = arith.cmpi slt, %j, %n : i32
  %b0 = arith.select %c0, %zero, %low : i1, f32
  %b1 = arith.select %c1, %zero, %low : i1, f32
  %b2 = arith.select %c1, %low, %zero : i1, f32
  %s0 = arith.addf %x0, %b0 : f32
  %s1 = arith.addf %x1, %b1 : f32
  %s2 = arith.addf %x1, %b2 : f32
  %t0 = arith.mulf %s0, %s0 : f32
  %t1 = arith.mulf %s1, %s1 : f32
  nvvm.st %p, %t0, %t1 : !nvvm.ptr<1>, f32, f32
  nvvm.st %p + 8, %s2 : !nvvm.ptr<1>, f32
  nvvm.return
}

// The body of a loop computes with arguments of the header. The maximum %m has a neighbour, and is shared all the same.
// CHECK-LABEL: nvvm.func @loop
// CHECK: nvvm.sub.f32x2 %x0, %x1, %m, %m
// CHECK-NEXT: %{{.*}}:2 = nvvm.sub.f32x2 %x2, %x3, %m, %m
nvvm.func @loop(%p: !nvvm.ptr<1>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %f = arith.constant 0.0 : f32
  cf.br ^head(%zero, %f, %f, %f, %f, %f, %f : i32, f32, f32, f32, f32, f32, f32)
^head(%i: i32, %x0: f32, %x1: f32, %x2: f32, %x3: f32, %m: f32, %sum: f32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^end
^body:
  %a = arith.subf %x0, %m : f32
  %b = arith.subf %x1, %m : f32
  %c = arith.subf %x2, %m : f32
  %d = arith.subf %x3, %m : f32
  nvvm.st %p, %a, %b, %c, %d : !nvvm.ptr<1>, f32, f32, f32, f32
  %next = arith.addi %i, %one : i32
  %y0, %y1, %y2, %y3 = nvvm.ld %p : !nvvm.ptr<1> -> f32, f32, f32, f32
  cf.br ^head(%next, %y0, %y1, %y2, %y3, %sum, %m : i32, f32, f32, f32, f32, f32, f32)
^end:
  nvvm.return
}
