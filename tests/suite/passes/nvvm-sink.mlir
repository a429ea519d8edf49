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

// 24 addresses take 48 registers of the 32 that a thread has. Each is computed where it is used.
// CHECK-LABEL: nvvm.func @crowded
// CHECK: arith.muli
// CHECK-NEXT: nvvm.ptradd
// CHECK-NEXT: nvvm.st
// CHECK-NEXT: arith.muli
// CHECK-NEXT: nvvm.ptradd
// CHECK-NEXT: nvvm.st
nvvm.func @crowded(%p: !nvvm.ptr<1>, %x: i64, %v: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 32, occupancy = 2>} {
  %k0 = arith.constant 3 : i64
  %k1 = arith.constant 5 : i64
  %k2 = arith.constant 7 : i64
  %k3 = arith.constant 9 : i64
  %k4 = arith.constant 11 : i64
  %k5 = arith.constant 13 : i64
  %k6 = arith.constant 15 : i64
  %k7 = arith.constant 17 : i64
  %k8 = arith.constant 19 : i64
  %k9 = arith.constant 21 : i64
  %k10 = arith.constant 23 : i64
  %k11 = arith.constant 25 : i64
  %k12 = arith.constant 27 : i64
  %k13 = arith.constant 29 : i64
  %k14 = arith.constant 31 : i64
  %k15 = arith.constant 33 : i64
  %k16 = arith.constant 35 : i64
  %k17 = arith.constant 37 : i64
  %k18 = arith.constant 39 : i64
  %k19 = arith.constant 41 : i64
  %k20 = arith.constant 43 : i64
  %k21 = arith.constant 45 : i64
  %k22 = arith.constant 47 : i64
  %k23 = arith.constant 49 : i64
  %i0 = arith.muli %x, %k0 : i64
  %i1 = arith.muli %x, %k1 : i64
  %i2 = arith.muli %x, %k2 : i64
  %i3 = arith.muli %x, %k3 : i64
  %i4 = arith.muli %x, %k4 : i64
  %i5 = arith.muli %x, %k5 : i64
  %i6 = arith.muli %x, %k6 : i64
  %i7 = arith.muli %x, %k7 : i64
  %i8 = arith.muli %x, %k8 : i64
  %i9 = arith.muli %x, %k9 : i64
  %i10 = arith.muli %x, %k10 : i64
  %i11 = arith.muli %x, %k11 : i64
  %i12 = arith.muli %x, %k12 : i64
  %i13 = arith.muli %x, %k13 : i64
  %i14 = arith.muli %x, %k14 : i64
  %i15 = arith.muli %x, %k15 : i64
  %i16 = arith.muli %x, %k16 : i64
  %i17 = arith.muli %x, %k17 : i64
  %i18 = arith.muli %x, %k18 : i64
  %i19 = arith.muli %x, %k19 : i64
  %i20 = arith.muli %x, %k20 : i64
  %i21 = arith.muli %x, %k21 : i64
  %i22 = arith.muli %x, %k22 : i64
  %i23 = arith.muli %x, %k23 : i64
  %a0 = nvvm.ptradd %p, %i0 : !nvvm.ptr<1>, i64
  %a1 = nvvm.ptradd %p, %i1 : !nvvm.ptr<1>, i64
  %a2 = nvvm.ptradd %p, %i2 : !nvvm.ptr<1>, i64
  %a3 = nvvm.ptradd %p, %i3 : !nvvm.ptr<1>, i64
  %a4 = nvvm.ptradd %p, %i4 : !nvvm.ptr<1>, i64
  %a5 = nvvm.ptradd %p, %i5 : !nvvm.ptr<1>, i64
  %a6 = nvvm.ptradd %p, %i6 : !nvvm.ptr<1>, i64
  %a7 = nvvm.ptradd %p, %i7 : !nvvm.ptr<1>, i64
  %a8 = nvvm.ptradd %p, %i8 : !nvvm.ptr<1>, i64
  %a9 = nvvm.ptradd %p, %i9 : !nvvm.ptr<1>, i64
  %a10 = nvvm.ptradd %p, %i10 : !nvvm.ptr<1>, i64
  %a11 = nvvm.ptradd %p, %i11 : !nvvm.ptr<1>, i64
  %a12 = nvvm.ptradd %p, %i12 : !nvvm.ptr<1>, i64
  %a13 = nvvm.ptradd %p, %i13 : !nvvm.ptr<1>, i64
  %a14 = nvvm.ptradd %p, %i14 : !nvvm.ptr<1>, i64
  %a15 = nvvm.ptradd %p, %i15 : !nvvm.ptr<1>, i64
  %a16 = nvvm.ptradd %p, %i16 : !nvvm.ptr<1>, i64
  %a17 = nvvm.ptradd %p, %i17 : !nvvm.ptr<1>, i64
  %a18 = nvvm.ptradd %p, %i18 : !nvvm.ptr<1>, i64
  %a19 = nvvm.ptradd %p, %i19 : !nvvm.ptr<1>, i64
  %a20 = nvvm.ptradd %p, %i20 : !nvvm.ptr<1>, i64
  %a21 = nvvm.ptradd %p, %i21 : !nvvm.ptr<1>, i64
  %a22 = nvvm.ptradd %p, %i22 : !nvvm.ptr<1>, i64
  %a23 = nvvm.ptradd %p, %i23 : !nvvm.ptr<1>, i64
  nvvm.st %a0, %v : !nvvm.ptr<1>, i32
  nvvm.st %a1, %v : !nvvm.ptr<1>, i32
  nvvm.st %a2, %v : !nvvm.ptr<1>, i32
  nvvm.st %a3, %v : !nvvm.ptr<1>, i32
  nvvm.st %a4, %v : !nvvm.ptr<1>, i32
  nvvm.st %a5, %v : !nvvm.ptr<1>, i32
  nvvm.st %a6, %v : !nvvm.ptr<1>, i32
  nvvm.st %a7, %v : !nvvm.ptr<1>, i32
  nvvm.st %a8, %v : !nvvm.ptr<1>, i32
  nvvm.st %a9, %v : !nvvm.ptr<1>, i32
  nvvm.st %a10, %v : !nvvm.ptr<1>, i32
  nvvm.st %a11, %v : !nvvm.ptr<1>, i32
  nvvm.st %a12, %v : !nvvm.ptr<1>, i32
  nvvm.st %a13, %v : !nvvm.ptr<1>, i32
  nvvm.st %a14, %v : !nvvm.ptr<1>, i32
  nvvm.st %a15, %v : !nvvm.ptr<1>, i32
  nvvm.st %a16, %v : !nvvm.ptr<1>, i32
  nvvm.st %a17, %v : !nvvm.ptr<1>, i32
  nvvm.st %a18, %v : !nvvm.ptr<1>, i32
  nvvm.st %a19, %v : !nvvm.ptr<1>, i32
  nvvm.st %a20, %v : !nvvm.ptr<1>, i32
  nvvm.st %a21, %v : !nvvm.ptr<1>, i32
  nvvm.st %a22, %v : !nvvm.ptr<1>, i32
  nvvm.st %a23, %v : !nvvm.ptr<1>, i32
  nvvm.return
}

// Pairs of sums take 48 registers of 32, too. Each pair is computed where it is used.
// CHECK-LABEL: nvvm.func @crowded_pairs
// CHECK: nvvm.add.f32x2
// CHECK-NEXT: arith.divf
// CHECK-NEXT: nvvm.st
// CHECK-NEXT: arith.divf
// CHECK-NEXT: nvvm.st
// CHECK-NEXT: nvvm.add.f32x2
nvvm.func @crowded_pairs(%p: !nvvm.ptr<1>, %x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 32, occupancy = 2>} {
  %k0 = arith.constant 1.0 : f32
  %k1 = arith.constant 2.0 : f32
  %k2 = arith.constant 3.0 : f32
  %k3 = arith.constant 4.0 : f32
  %k4 = arith.constant 5.0 : f32
  %k5 = arith.constant 6.0 : f32
  %k6 = arith.constant 7.0 : f32
  %k7 = arith.constant 8.0 : f32
  %k8 = arith.constant 9.0 : f32
  %k9 = arith.constant 10.0 : f32
  %k10 = arith.constant 11.0 : f32
  %k11 = arith.constant 12.0 : f32
  %k12 = arith.constant 13.0 : f32
  %k13 = arith.constant 14.0 : f32
  %k14 = arith.constant 15.0 : f32
  %k15 = arith.constant 16.0 : f32
  %k16 = arith.constant 17.0 : f32
  %k17 = arith.constant 18.0 : f32
  %k18 = arith.constant 19.0 : f32
  %k19 = arith.constant 20.0 : f32
  %k20 = arith.constant 21.0 : f32
  %k21 = arith.constant 22.0 : f32
  %k22 = arith.constant 23.0 : f32
  %k23 = arith.constant 24.0 : f32
  %a0, %b0 = nvvm.add.f32x2 %x, %x, %k0, %k0
  %a1, %b1 = nvvm.add.f32x2 %x, %x, %k1, %k1
  %a2, %b2 = nvvm.add.f32x2 %x, %x, %k2, %k2
  %a3, %b3 = nvvm.add.f32x2 %x, %x, %k3, %k3
  %a4, %b4 = nvvm.add.f32x2 %x, %x, %k4, %k4
  %a5, %b5 = nvvm.add.f32x2 %x, %x, %k5, %k5
  %a6, %b6 = nvvm.add.f32x2 %x, %x, %k6, %k6
  %a7, %b7 = nvvm.add.f32x2 %x, %x, %k7, %k7
  %a8, %b8 = nvvm.add.f32x2 %x, %x, %k8, %k8
  %a9, %b9 = nvvm.add.f32x2 %x, %x, %k9, %k9
  %a10, %b10 = nvvm.add.f32x2 %x, %x, %k10, %k10
  %a11, %b11 = nvvm.add.f32x2 %x, %x, %k11, %k11
  %a12, %b12 = nvvm.add.f32x2 %x, %x, %k12, %k12
  %a13, %b13 = nvvm.add.f32x2 %x, %x, %k13, %k13
  %a14, %b14 = nvvm.add.f32x2 %x, %x, %k14, %k14
  %a15, %b15 = nvvm.add.f32x2 %x, %x, %k15, %k15
  %a16, %b16 = nvvm.add.f32x2 %x, %x, %k16, %k16
  %a17, %b17 = nvvm.add.f32x2 %x, %x, %k17, %k17
  %a18, %b18 = nvvm.add.f32x2 %x, %x, %k18, %k18
  %a19, %b19 = nvvm.add.f32x2 %x, %x, %k19, %k19
  %a20, %b20 = nvvm.add.f32x2 %x, %x, %k20, %k20
  %a21, %b21 = nvvm.add.f32x2 %x, %x, %k21, %k21
  %a22, %b22 = nvvm.add.f32x2 %x, %x, %k22, %k22
  %a23, %b23 = nvvm.add.f32x2 %x, %x, %k23, %k23
  %c0 = arith.divf %x, %a0 : f32
  %d0 = arith.divf %x, %b0 : f32
  %c1 = arith.divf %x, %a1 : f32
  %d1 = arith.divf %x, %b1 : f32
  %c2 = arith.divf %x, %a2 : f32
  %d2 = arith.divf %x, %b2 : f32
  %c3 = arith.divf %x, %a3 : f32
  %d3 = arith.divf %x, %b3 : f32
  %c4 = arith.divf %x, %a4 : f32
  %d4 = arith.divf %x, %b4 : f32
  %c5 = arith.divf %x, %a5 : f32
  %d5 = arith.divf %x, %b5 : f32
  %c6 = arith.divf %x, %a6 : f32
  %d6 = arith.divf %x, %b6 : f32
  %c7 = arith.divf %x, %a7 : f32
  %d7 = arith.divf %x, %b7 : f32
  %c8 = arith.divf %x, %a8 : f32
  %d8 = arith.divf %x, %b8 : f32
  %c9 = arith.divf %x, %a9 : f32
  %d9 = arith.divf %x, %b9 : f32
  %c10 = arith.divf %x, %a10 : f32
  %d10 = arith.divf %x, %b10 : f32
  %c11 = arith.divf %x, %a11 : f32
  %d11 = arith.divf %x, %b11 : f32
  %c12 = arith.divf %x, %a12 : f32
  %d12 = arith.divf %x, %b12 : f32
  %c13 = arith.divf %x, %a13 : f32
  %d13 = arith.divf %x, %b13 : f32
  %c14 = arith.divf %x, %a14 : f32
  %d14 = arith.divf %x, %b14 : f32
  %c15 = arith.divf %x, %a15 : f32
  %d15 = arith.divf %x, %b15 : f32
  %c16 = arith.divf %x, %a16 : f32
  %d16 = arith.divf %x, %b16 : f32
  %c17 = arith.divf %x, %a17 : f32
  %d17 = arith.divf %x, %b17 : f32
  %c18 = arith.divf %x, %a18 : f32
  %d18 = arith.divf %x, %b18 : f32
  %c19 = arith.divf %x, %a19 : f32
  %d19 = arith.divf %x, %b19 : f32
  %c20 = arith.divf %x, %a20 : f32
  %d20 = arith.divf %x, %b20 : f32
  %c21 = arith.divf %x, %a21 : f32
  %d21 = arith.divf %x, %b21 : f32
  %c22 = arith.divf %x, %a22 : f32
  %d22 = arith.divf %x, %b22 : f32
  %c23 = arith.divf %x, %a23 : f32
  %d23 = arith.divf %x, %b23 : f32
  nvvm.st %p, %c0 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d0 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c1 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d1 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c2 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d2 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c3 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d3 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c4 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d4 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c5 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d5 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c6 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d6 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c7 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d7 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c8 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d8 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c9 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d9 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c10 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d10 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c11 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d11 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c12 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d12 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c13 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d13 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c14 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d14 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c15 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d15 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c16 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d16 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c17 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d17 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c18 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d18 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c19 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d19 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c20 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d20 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c21 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d21 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c22 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d22 : !nvvm.ptr<1>, f32
  nvvm.st %p, %c23 : !nvvm.ptr<1>, f32
  nvvm.st %p, %d23 : !nvvm.ptr<1>, f32
  nvvm.return
}

// With more registers the order stays: ptxas knows latencies.
// CHECK-LABEL: nvvm.func @unchanged_roomy
// CHECK-COUNT-24: arith.muli
nvvm.func @unchanged_roomy(%p: !nvvm.ptr<1>, %x: i64, %v: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %k0 = arith.constant 3 : i64
  %k1 = arith.constant 5 : i64
  %k2 = arith.constant 7 : i64
  %k3 = arith.constant 9 : i64
  %k4 = arith.constant 11 : i64
  %k5 = arith.constant 13 : i64
  %k6 = arith.constant 15 : i64
  %k7 = arith.constant 17 : i64
  %k8 = arith.constant 19 : i64
  %k9 = arith.constant 21 : i64
  %k10 = arith.constant 23 : i64
  %k11 = arith.constant 25 : i64
  %k12 = arith.constant 27 : i64
  %k13 = arith.constant 29 : i64
  %k14 = arith.constant 31 : i64
  %k15 = arith.constant 33 : i64
  %k16 = arith.constant 35 : i64
  %k17 = arith.constant 37 : i64
  %k18 = arith.constant 39 : i64
  %k19 = arith.constant 41 : i64
  %k20 = arith.constant 43 : i64
  %k21 = arith.constant 45 : i64
  %k22 = arith.constant 47 : i64
  %k23 = arith.constant 49 : i64
  %i0 = arith.muli %x, %k0 : i64
  %i1 = arith.muli %x, %k1 : i64
  %i2 = arith.muli %x, %k2 : i64
  %i3 = arith.muli %x, %k3 : i64
  %i4 = arith.muli %x, %k4 : i64
  %i5 = arith.muli %x, %k5 : i64
  %i6 = arith.muli %x, %k6 : i64
  %i7 = arith.muli %x, %k7 : i64
  %i8 = arith.muli %x, %k8 : i64
  %i9 = arith.muli %x, %k9 : i64
  %i10 = arith.muli %x, %k10 : i64
  %i11 = arith.muli %x, %k11 : i64
  %i12 = arith.muli %x, %k12 : i64
  %i13 = arith.muli %x, %k13 : i64
  %i14 = arith.muli %x, %k14 : i64
  %i15 = arith.muli %x, %k15 : i64
  %i16 = arith.muli %x, %k16 : i64
  %i17 = arith.muli %x, %k17 : i64
  %i18 = arith.muli %x, %k18 : i64
  %i19 = arith.muli %x, %k19 : i64
  %i20 = arith.muli %x, %k20 : i64
  %i21 = arith.muli %x, %k21 : i64
  %i22 = arith.muli %x, %k22 : i64
  %i23 = arith.muli %x, %k23 : i64
  %a0 = nvvm.ptradd %p, %i0 : !nvvm.ptr<1>, i64
  %a1 = nvvm.ptradd %p, %i1 : !nvvm.ptr<1>, i64
  %a2 = nvvm.ptradd %p, %i2 : !nvvm.ptr<1>, i64
  %a3 = nvvm.ptradd %p, %i3 : !nvvm.ptr<1>, i64
  %a4 = nvvm.ptradd %p, %i4 : !nvvm.ptr<1>, i64
  %a5 = nvvm.ptradd %p, %i5 : !nvvm.ptr<1>, i64
  %a6 = nvvm.ptradd %p, %i6 : !nvvm.ptr<1>, i64
  %a7 = nvvm.ptradd %p, %i7 : !nvvm.ptr<1>, i64
  %a8 = nvvm.ptradd %p, %i8 : !nvvm.ptr<1>, i64
  %a9 = nvvm.ptradd %p, %i9 : !nvvm.ptr<1>, i64
  %a10 = nvvm.ptradd %p, %i10 : !nvvm.ptr<1>, i64
  %a11 = nvvm.ptradd %p, %i11 : !nvvm.ptr<1>, i64
  %a12 = nvvm.ptradd %p, %i12 : !nvvm.ptr<1>, i64
  %a13 = nvvm.ptradd %p, %i13 : !nvvm.ptr<1>, i64
  %a14 = nvvm.ptradd %p, %i14 : !nvvm.ptr<1>, i64
  %a15 = nvvm.ptradd %p, %i15 : !nvvm.ptr<1>, i64
  %a16 = nvvm.ptradd %p, %i16 : !nvvm.ptr<1>, i64
  %a17 = nvvm.ptradd %p, %i17 : !nvvm.ptr<1>, i64
  %a18 = nvvm.ptradd %p, %i18 : !nvvm.ptr<1>, i64
  %a19 = nvvm.ptradd %p, %i19 : !nvvm.ptr<1>, i64
  %a20 = nvvm.ptradd %p, %i20 : !nvvm.ptr<1>, i64
  %a21 = nvvm.ptradd %p, %i21 : !nvvm.ptr<1>, i64
  %a22 = nvvm.ptradd %p, %i22 : !nvvm.ptr<1>, i64
  %a23 = nvvm.ptradd %p, %i23 : !nvvm.ptr<1>, i64
  nvvm.st %a0, %v : !nvvm.ptr<1>, i32
  nvvm.st %a1, %v : !nvvm.ptr<1>, i32
  nvvm.st %a2, %v : !nvvm.ptr<1>, i32
  nvvm.st %a3, %v : !nvvm.ptr<1>, i32
  nvvm.st %a4, %v : !nvvm.ptr<1>, i32
  nvvm.st %a5, %v : !nvvm.ptr<1>, i32
  nvvm.st %a6, %v : !nvvm.ptr<1>, i32
  nvvm.st %a7, %v : !nvvm.ptr<1>, i32
  nvvm.st %a8, %v : !nvvm.ptr<1>, i32
  nvvm.st %a9, %v : !nvvm.ptr<1>, i32
  nvvm.st %a10, %v : !nvvm.ptr<1>, i32
  nvvm.st %a11, %v : !nvvm.ptr<1>, i32
  nvvm.st %a12, %v : !nvvm.ptr<1>, i32
  nvvm.st %a13, %v : !nvvm.ptr<1>, i32
  nvvm.st %a14, %v : !nvvm.ptr<1>, i32
  nvvm.st %a15, %v : !nvvm.ptr<1>, i32
  nvvm.st %a16, %v : !nvvm.ptr<1>, i32
  nvvm.st %a17, %v : !nvvm.ptr<1>, i32
  nvvm.st %a18, %v : !nvvm.ptr<1>, i32
  nvvm.st %a19, %v : !nvvm.ptr<1>, i32
  nvvm.st %a20, %v : !nvvm.ptr<1>, i32
  nvvm.st %a21, %v : !nvvm.ptr<1>, i32
  nvvm.st %a22, %v : !nvvm.ptr<1>, i32
  nvvm.st %a23, %v : !nvvm.ptr<1>, i32
  nvvm.return
}

// A word for TMEM is made where its second half is, before the branch. Conversions do not follow it down.
// CHECK-LABEL: nvvm.func @words
// CHECK: %[[A:.*]] = arith.ftof %x : f32 to bf16
// CHECK-NEXT: %[[B:.*]] = arith.ftof %y : f32 to bf16
// CHECK-NEXT: %[[W:.*]] = nvvm.pack %[[A]], %[[B]]
// CHECK: cf.cond_br
// CHECK: nvvm.tcgen05.st %at, %[[W]]
nvvm.func @words(%at: i32, %x: f32, %y: f32, %c: i1) {
  %a = arith.ftof %x : f32 to bf16
  %b = arith.ftof %y : f32 to bf16
  cf.cond_br %c, ^other, ^end
^other:
  nvvm.tcgen05.fence.after_thread_sync
  cf.br ^end
^end:
  %w = nvvm.pack %a, %b : bf16, bf16 -> i32
  nvvm.tcgen05.st %at, %w : i32, i32
  nvvm.return
}

// A store takes words of halves that were converted before a wait, and halves that come after it as they are.
// CHECK-LABEL: nvvm.func @stored_words
// CHECK: %[[A:.*]] = arith.ftof %x : f32 to bf16
// CHECK-NEXT: %[[B:.*]] = arith.ftof %y : f32 to bf16
// CHECK-NEXT: %[[W:.*]] = nvvm.pack %[[A]], %[[B]]
// CHECK-NEXT: nvvm.mbarrier.wait.parity
// CHECK-NEXT: nvvm.st %p + 64, %[[W]] : !nvvm.ptr<3>, i32
// CHECK: %[[C:.*]] = arith.ftof %x : f32 to f16
// CHECK-NEXT: %[[D:.*]] = arith.ftof %y : f32 to f16
// CHECK-NEXT: nvvm.st %p, %[[C]], %[[D]]
nvvm.func @stored_words(%p: !nvvm.ptr<3>, %bar: !nvvm.ptr<3>, %x: f32, %y: f32, %n: i32) {
  %a = arith.ftof %x : f32 to bf16
  %b = arith.ftof %y : f32 to bf16
  nvvm.mbarrier.wait.parity %bar, %n : !nvvm.ptr<3>, i32
  nvvm.st %p + 64, %a, %b : !nvvm.ptr<3>, bf16, bf16
  %c = arith.ftof %x : f32 to f16
  %d = arith.ftof %y : f32 to f16
  nvvm.st %p, %c, %d : !nvvm.ptr<3>, f16, f16
  nvvm.return
}

// What threads compute for an MMA of a warpgroup stays before the fence of the MMA.
// CHECK-LABEL: nvvm.func @fenced
// CHECK: nvvm.barrier
// CHECK-NEXT: %[[P:.*]] = arith.mulf %x, %x
// CHECK-NEXT: nvvm.wgmma.fence
// CHECK-NEXT: nvvm.wgmma.mma_async
nvvm.func @fenced(%x: f32, %desc: i64, %c: i1) {
  %p = arith.mulf %x, %x : f32
  cf.cond_br %c, ^mma, ^end
^mma:
  nvvm.barrier
  nvvm.wgmma.fence
  %d:4 = nvvm.wgmma.mma_async from %desc by %desc add %p, %p, %p, %p : f32, f32, f32, f32 {shape = "m64n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} -> f32, f32, f32, f32
  nvvm.wgmma.commit_group
  cf.br ^end
^end:
  nvvm.return
}

// In such a block, what an MMA adds to still stays before its fence.
// CHECK-LABEL: nvvm.func @crowded_mma
// CHECK: %[[P:.*]] = arith.mulf %x, %x
// CHECK: nvvm.wgmma.fence
// CHECK-NEXT: nvvm.wgmma.mma_async {{.*}} add %[[P]], %[[P]], %[[P]], %[[P]]
// CHECK: arith.mulf %x, %x
// CHECK-NEXT: nvvm.st
// CHECK-NEXT: arith.mulf %x, %x
// CHECK-NEXT: nvvm.st
nvvm.func @crowded_mma(%p: !nvvm.ptr<1>, %x: f32, %desc: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 32, occupancy = 2>} {
  %acc = arith.mulf %x, %x : f32
  %v0 = arith.mulf %x, %x : f32
  %v1 = arith.mulf %x, %x : f32
  %v2 = arith.mulf %x, %x : f32
  %v3 = arith.mulf %x, %x : f32
  %v4 = arith.mulf %x, %x : f32
  %v5 = arith.mulf %x, %x : f32
  %v6 = arith.mulf %x, %x : f32
  %v7 = arith.mulf %x, %x : f32
  %v8 = arith.mulf %x, %x : f32
  %v9 = arith.mulf %x, %x : f32
  %v10 = arith.mulf %x, %x : f32
  %v11 = arith.mulf %x, %x : f32
  %v12 = arith.mulf %x, %x : f32
  %v13 = arith.mulf %x, %x : f32
  %v14 = arith.mulf %x, %x : f32
  %v15 = arith.mulf %x, %x : f32
  %v16 = arith.mulf %x, %x : f32
  %v17 = arith.mulf %x, %x : f32
  %v18 = arith.mulf %x, %x : f32
  %v19 = arith.mulf %x, %x : f32
  %v20 = arith.mulf %x, %x : f32
  %v21 = arith.mulf %x, %x : f32
  %v22 = arith.mulf %x, %x : f32
  %v23 = arith.mulf %x, %x : f32
  %v24 = arith.mulf %x, %x : f32
  %v25 = arith.mulf %x, %x : f32
  %v26 = arith.mulf %x, %x : f32
  %v27 = arith.mulf %x, %x : f32
  %v28 = arith.mulf %x, %x : f32
  %v29 = arith.mulf %x, %x : f32
  %v30 = arith.mulf %x, %x : f32
  %v31 = arith.mulf %x, %x : f32
  %v32 = arith.mulf %x, %x : f32
  %v33 = arith.mulf %x, %x : f32
  %v34 = arith.mulf %x, %x : f32
  %v35 = arith.mulf %x, %x : f32
  %v36 = arith.mulf %x, %x : f32
  %v37 = arith.mulf %x, %x : f32
  %v38 = arith.mulf %x, %x : f32
  %v39 = arith.mulf %x, %x : f32
  %v40 = arith.mulf %x, %x : f32
  %v41 = arith.mulf %x, %x : f32
  %v42 = arith.mulf %x, %x : f32
  %v43 = arith.mulf %x, %x : f32
  %v44 = arith.mulf %x, %x : f32
  %v45 = arith.mulf %x, %x : f32
  %v46 = arith.mulf %x, %x : f32
  %v47 = arith.mulf %x, %x : f32
  nvvm.wgmma.fence
  %d:4 = nvvm.wgmma.mma_async from %desc by %desc add %acc, %acc, %acc, %acc : f32, f32, f32, f32 {shape = "m64n8k16", a_type = "f16", b_type = "f16", d_type = "f32"} -> f32, f32, f32, f32
  nvvm.wgmma.commit_group
  nvvm.st %p + 0, %v0 : !nvvm.ptr<1>, f32
  nvvm.st %p + 4, %v1 : !nvvm.ptr<1>, f32
  nvvm.st %p + 8, %v2 : !nvvm.ptr<1>, f32
  nvvm.st %p + 12, %v3 : !nvvm.ptr<1>, f32
  nvvm.st %p + 16, %v4 : !nvvm.ptr<1>, f32
  nvvm.st %p + 20, %v5 : !nvvm.ptr<1>, f32
  nvvm.st %p + 24, %v6 : !nvvm.ptr<1>, f32
  nvvm.st %p + 28, %v7 : !nvvm.ptr<1>, f32
  nvvm.st %p + 32, %v8 : !nvvm.ptr<1>, f32
  nvvm.st %p + 36, %v9 : !nvvm.ptr<1>, f32
  nvvm.st %p + 40, %v10 : !nvvm.ptr<1>, f32
  nvvm.st %p + 44, %v11 : !nvvm.ptr<1>, f32
  nvvm.st %p + 48, %v12 : !nvvm.ptr<1>, f32
  nvvm.st %p + 52, %v13 : !nvvm.ptr<1>, f32
  nvvm.st %p + 56, %v14 : !nvvm.ptr<1>, f32
  nvvm.st %p + 60, %v15 : !nvvm.ptr<1>, f32
  nvvm.st %p + 64, %v16 : !nvvm.ptr<1>, f32
  nvvm.st %p + 68, %v17 : !nvvm.ptr<1>, f32
  nvvm.st %p + 72, %v18 : !nvvm.ptr<1>, f32
  nvvm.st %p + 76, %v19 : !nvvm.ptr<1>, f32
  nvvm.st %p + 80, %v20 : !nvvm.ptr<1>, f32
  nvvm.st %p + 84, %v21 : !nvvm.ptr<1>, f32
  nvvm.st %p + 88, %v22 : !nvvm.ptr<1>, f32
  nvvm.st %p + 92, %v23 : !nvvm.ptr<1>, f32
  nvvm.st %p + 96, %v24 : !nvvm.ptr<1>, f32
  nvvm.st %p + 100, %v25 : !nvvm.ptr<1>, f32
  nvvm.st %p + 104, %v26 : !nvvm.ptr<1>, f32
  nvvm.st %p + 108, %v27 : !nvvm.ptr<1>, f32
  nvvm.st %p + 112, %v28 : !nvvm.ptr<1>, f32
  nvvm.st %p + 116, %v29 : !nvvm.ptr<1>, f32
  nvvm.st %p + 120, %v30 : !nvvm.ptr<1>, f32
  nvvm.st %p + 124, %v31 : !nvvm.ptr<1>, f32
  nvvm.st %p + 128, %v32 : !nvvm.ptr<1>, f32
  nvvm.st %p + 132, %v33 : !nvvm.ptr<1>, f32
  nvvm.st %p + 136, %v34 : !nvvm.ptr<1>, f32
  nvvm.st %p + 140, %v35 : !nvvm.ptr<1>, f32
  nvvm.st %p + 144, %v36 : !nvvm.ptr<1>, f32
  nvvm.st %p + 148, %v37 : !nvvm.ptr<1>, f32
  nvvm.st %p + 152, %v38 : !nvvm.ptr<1>, f32
  nvvm.st %p + 156, %v39 : !nvvm.ptr<1>, f32
  nvvm.st %p + 160, %v40 : !nvvm.ptr<1>, f32
  nvvm.st %p + 164, %v41 : !nvvm.ptr<1>, f32
  nvvm.st %p + 168, %v42 : !nvvm.ptr<1>, f32
  nvvm.st %p + 172, %v43 : !nvvm.ptr<1>, f32
  nvvm.st %p + 176, %v44 : !nvvm.ptr<1>, f32
  nvvm.st %p + 180, %v45 : !nvvm.ptr<1>, f32
  nvvm.st %p + 184, %v46 : !nvvm.ptr<1>, f32
  nvvm.st %p + 188, %v47 : !nvvm.ptr<1>, f32
  nvvm.return
}
