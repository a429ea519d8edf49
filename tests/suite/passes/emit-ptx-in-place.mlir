// RUN: tile-opt %s --lower-to=ptx -O0 --gpu-name=sm_80 | FileCheck %s

// Two loops add to one accumulator, as two versions of a loop do. It stays in one register: no move between the loops,
// where ptxas would have both copies of the largest tile of a kernel.
// CHECK-LABEL: .visible .entry versions(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {[[ACC:%f[0-9]+, %f[0-9]+, %f[0-9]+, %f[0-9]+]]}, {{.*}}, {[[ACC]]};
// CHECK-NOT: mov.f32
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {[[ACC]]}, {{.*}}, {[[ACC]]};
// CHECK-NOT: mov.f32
// CHECK: st.global.v4.f32 [%{{.*}}], {[[ACC]]};
nvvm.func @versions(%p: !nvvm.ptr<1>, %a: i32, %n: i32, %m: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  cf.br ^fast(%zero, %none, %none, %none, %none : i32, f32, f32, f32, f32)
^fast(%i: i32, %c0: f32, %c1: f32, %c2: f32, %c3: f32):
  %d0, %d1, %d2, %d3 = nvvm.mma.sync [%a, %a, %a, %a], [%a, %a], [%c0, %c1, %c2, %c3] {shape = "m16n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} : i32, i32, f32
  %j = arith.addi %i, %one : i32
  %more = arith.cmpi slt, %j, %n : i32
  cf.cond_br %more, ^fast(%j, %d0, %d1, %d2, %d3 : i32, f32, f32, f32, f32), ^slow(%j, %d0, %d1, %d2, %d3 : i32, f32, f32, f32, f32)
^slow(%k: i32, %e0: f32, %e1: f32, %e2: f32, %e3: f32):
  %f0, %f1, %f2, %f3 = nvvm.mma.sync [%a, %a, %a, %a], [%a, %a], [%e0, %e1, %e2, %e3] {shape = "m16n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} : i32, i32, f32
  %l = arith.addi %k, %one : i32
  %again = arith.cmpi slt, %l, %m : i32
  cf.cond_br %again, ^slow(%l, %f0, %f1, %f2, %f3 : i32, f32, f32, f32, f32), ^end
^end:
  nvvm.st %p, %f0, %f1, %f2, %f3 : !nvvm.ptr<1>, f32, f32, f32, f32
  nvvm.return
}
