// RUN: tile-opt %s --gpu-name=sm_90 --nvvm-reduce-strength | FileCheck %s

// The rows that are inside do not change in the loop. So the limit of the columns is 0 where the row is outside, and the
// loop tests one condition. The exponentials have the predicate of the other.
// CHECK-LABEL: nvvm.func @columns
// CHECK: %[[IN:.*]] = arith.cmpi ult, %row, %rows
// CHECK: %[[LIMIT:.*]] = arith.select %[[IN]], %columns, %{{.*}} : i1, i32
// CHECK: ^bb1
// CHECK: %[[IS:.*]] = arith.cmpi ult, %{{.*}}, %[[LIMIT]] : i32
// CHECK-NOT: arith.andi
// CHECK: nvvm.ld {{.*}} if %[[IS]]
nvvm.func @columns(%p: !nvvm.ptr<1>, %row: i32, %rows: i32, %columns: i32, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %in = arith.cmpi ult, %row, %rows : i32
  cf.br ^bb1(%zero, %none : i32, f32)
^bb1(%i: i32, %sum: f32):
  %c = arith.cmpi ult, %i, %columns : i32
  %is = arith.andi %c, %in : i1
  %v = nvvm.ld %p if %is else %none : !nvvm.ptr<1> -> f32
  %e0 = nvvm.ex2.approx %v : f32
  %e1 = nvvm.ex2.approx %e0 : f32
  %e2 = nvvm.ex2.approx %e1 : f32
  %e3 = nvvm.ex2.approx %e2 : f32
  %e4 = nvvm.ex2.approx %e3 : f32
  %e5 = nvvm.ex2.approx %e4 : f32
  %e6 = nvvm.ex2.approx %e5 : f32
  %next = arith.addf %sum, %e6 : f32
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^bb2, ^bb3
^bb2:
  %j = arith.addi %i, %one : i32
  cf.br ^bb1(%j, %next : i32, f32)
^bb3:
  nvvm.st %p, %next : !nvvm.ptr<1>, f32
  nvvm.return
}

// What an elected thread does stays under a condition that ptxas knows.
// CHECK-LABEL: nvvm.func @elected
// CHECK-NOT: arith.select
// CHECK: nvvm.return
nvvm.func @elected(%p: !nvvm.ptr<3>, %columns: i32, %n: i32, %x: f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %is = nvvm.elect.sync
  cf.br ^bb1(%zero, %x : i32, f32)
^bb1(%i: i32, %v: f32):
  %c = arith.cmpi ult, %i, %columns : i32
  %both = arith.andi %c, %is : i1
  nvvm.mbarrier.arrive %p if %both : !nvvm.ptr<3>
  %e0 = nvvm.ex2.approx %v : f32
  %e1 = nvvm.ex2.approx %e0 : f32
  %e2 = nvvm.ex2.approx %e1 : f32
  %e3 = nvvm.ex2.approx %e2 : f32
  %e4 = nvvm.ex2.approx %e3 : f32
  %e5 = nvvm.ex2.approx %e4 : f32
  %e6 = nvvm.ex2.approx %e5 : f32
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^bb2, ^bb3
^bb2:
  %j = arith.addi %i, %one : i32
  cf.br ^bb1(%j, %e6 : i32, f32)
^bb3:
  nvvm.return
}

// Nothing is below 0 in the order of unsigned numbers, and nothing below -2^31 in that of signed ones: two limits of one
// number and one condition.
// CHECK-LABEL: nvvm.func @orders
// CHECK: %[[U:.*]] = arith.select %in, %columns, %{{.*}} : i1, i32
// CHECK: %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK: %[[S:.*]] = arith.select %in, %columns, %[[LEAST]] : i1, i32
// CHECK: ^bb1
// CHECK: arith.cmpi ult, %{{.*}}, %[[U]] : i32
// CHECK: arith.cmpi slt, %{{.*}}, %[[S]] : i32
// CHECK-NOT: arith.andi
// CHECK: nvvm.return
nvvm.func @orders(%p: !nvvm.ptr<1>, %in: i1, %columns: i32, %n: i32, %x: f32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^bb1(%zero, %x : i32, f32)
^bb1(%i: i32, %v: f32):
  %c = arith.cmpi ult, %i, %columns : i32
  %is = arith.andi %c, %in : i1
  %d = arith.cmpi slt, %i, %columns : i32
  %are = arith.andi %d, %in : i1
  nvvm.st %p, %v if %is : !nvvm.ptr<1>, f32
  nvvm.st %p + 4, %v if %are : !nvvm.ptr<1>, f32
  %e0 = nvvm.ex2.approx %v : f32
  %e1 = nvvm.ex2.approx %e0 : f32
  %e2 = nvvm.ex2.approx %e1 : f32
  %e3 = nvvm.ex2.approx %e2 : f32
  %e4 = nvvm.ex2.approx %e3 : f32
  %e5 = nvvm.ex2.approx %e4 : f32
  %e6 = nvvm.ex2.approx %e5 : f32
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^bb2, ^bb3
^bb2:
  %j = arith.addi %i, %one : i32
  cf.br ^bb1(%j, %e6 : i32, f32)
^bb3:
  nvvm.return
}
