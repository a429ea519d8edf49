// RUN: tile-opt %s --tileaa-narrow-integers | FileCheck %s

// A mask as cuTile's gathers have it: both sides are extended, one through a broadcast.
// CHECK-LABEL: nv_tileaa.func @mask
// CHECK: %[[N:.*]] = nv_tileaa.splat %n : i32 -> tensor<16xi32>
// CHECK-NEXT: %inside = arith.cmpi ult, %at, %[[N]] : tensor<16xi32>
// CHECK-NOT: arith.cmpi
nv_tileaa.func @mask(%p: !nv_tileaa.ptr<i1>, %from: i32, %n: i32) {
  %at = nv_tileaa.splat %from : i32 -> tensor<16xi32>
  %wide = arith.extsi %at : tensor<16xi32> to tensor<16xi64>
  %m = arith.extsi %n : i32 to i64
  %ms = nv_tileaa.splat %m : i64 -> tensor<16xi64>
  %inside = arith.cmpi ult, %wide, %ms : tensor<16xi64>
  %bases = nv_tileaa.splat %p : !nv_tileaa.ptr<i1> -> tensor<16x!nv_tileaa.ptr<i1>>
  %t = nv_tileaa.store %bases, %inside : tensor<16x!nv_tileaa.ptr<i1>>, tensor<16xi1> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// Offsets of pointers stay: 64 bits are what a pointer takes. What computes them is narrow where ranges prove it, and says that it does not wrap.
// CHECK-LABEL: nv_tileaa.func @offset
// CHECK: %[[A:.*]] = arith.addi %r, %{{.*}} overflow<no_signed_wrap> : tensor<16xi32>
// CHECK-NEXT: %sum = arith.extsi %[[A]] : tensor<16xi32> to tensor<16xi64>
// CHECK: nv_tileaa.addptr %{{.*}}, %sum : tensor<16x!nv_tileaa.ptr<i64>>, tensor<16xi64>
nv_tileaa.func @offset(%p: !nv_tileaa.ptr<i64>) {
  %c = arith.constant dense<7> : tensor<16xi64>
  %r = nv_tileaa.make_range : tensor<16xi32>
  %w = arith.extsi %r : tensor<16xi32> to tensor<16xi64>
  %sum = arith.addi %w, %c : tensor<16xi64>
  %bases = nv_tileaa.splat %p : !nv_tileaa.ptr<i64> -> tensor<16x!nv_tileaa.ptr<i64>>
  %ptrs = nv_tileaa.addptr %bases, %sum : tensor<16x!nv_tileaa.ptr<i64>>, tensor<16xi64>
  %t = nv_tileaa.store %ptrs, %c : tensor<16x!nv_tileaa.ptr<i64>>, tensor<16xi64> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// Quotients and remainders; those without a sign need numbers that are not negative.
// CHECK-LABEL: nv_tileaa.func @quotients
// CHECK: %[[Q:.*]] = arith.divsi %{{.*}}, %{{.*}} : tensor<16xi32>
// CHECK: arith.extsi %[[Q]]
// CHECK: arith.divui %{{.*}}, %{{.*}} : tensor<16xi64>
// CHECK: arith.remui %{{.*}}, %{{.*}} : tensor<16xi32>
nv_tileaa.func @quotients(%p: !nv_tileaa.ptr<i64>, %x: i32, %z: i32) {
  %c3 = arith.constant dense<3> : tensor<16xi64>
  %y = nv_tileaa.assume %z lower<0> : i32
  %xs = nv_tileaa.splat %x : i32 -> tensor<16xi32>
  %ys = nv_tileaa.splat %y : i32 -> tensor<16xi32>
  %wx = arith.extsi %xs : tensor<16xi32> to tensor<16xi64>
  %wy = arith.extsi %ys : tensor<16xi32> to tensor<16xi64>
  %q = arith.divsi %wx, %c3 : tensor<16xi64>
  %u = arith.divui %wx, %c3 : tensor<16xi64>
  %r = arith.remui %wy, %c3 : tensor<16xi64>
  %a = arith.addi %q, %u : tensor<16xi64>
  %b = arith.addi %a, %r : tensor<16xi64>
  %ps = nv_tileaa.splat %p : !nv_tileaa.ptr<i64> -> tensor<16x!nv_tileaa.ptr<i64>>
  %t = nv_tileaa.store %ps, %b : tensor<16x!nv_tileaa.ptr<i64>>, tensor<16xi64> -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// Must not fire: scalars; a sum that may need 33 bits; a quotient that may (the smallest number by -1), and the remainder of that, which 32 bits leave undefined; a shift by more than the narrow width has; a zero-extended number that may be negative in 32 bits.
// CHECK-LABEL: nv_tileaa.func @unchanged_wide
// CHECK: arith.addi %{{.*}} : tensor<16xi64>
// CHECK: arith.addi %{{.*}} : i64
// CHECK: arith.divsi %{{.*}} : tensor<16xi64>
// CHECK: arith.remsi %{{.*}} : tensor<16xi64>
// CHECK: arith.shrsi %{{.*}} : tensor<16xi64>
// CHECK: arith.cmpi slt, %{{.*}} : tensor<16xi64>
nv_tileaa.func @unchanged_wide(%p: !nv_tileaa.ptr<i64>, %o: !nv_tileaa.ptr<i1>, %from: i32, %x: i32, %z: i32) {
  %at = nv_tileaa.splat %from : i32 -> tensor<16xi32>
  %c40 = arith.constant dense<40> : tensor<16xi64>
  %w = arith.extsi %at : tensor<16xi32> to tensor<16xi64>
  %u = arith.extui %at : tensor<16xi32> to tensor<16xi64>
  %sum = arith.addi %w, %c40 : tensor<16xi64>
  %wx = arith.extsi %x : i32 to i64
  %wz = arith.extsi %z : i32 to i64
  %sum1 = arith.addi %wx, %wz : i64
  %wxs = nv_tileaa.splat %wx : i64 -> tensor<16xi64>
  %wzs = nv_tileaa.splat %wz : i64 -> tensor<16xi64>
  %q = arith.divsi %wxs, %wzs : tensor<16xi64>
  %m = arith.remsi %wxs, %wzs : tensor<16xi64>
  %h = arith.shrsi %w, %c40 : tensor<16xi64>
  %less = arith.cmpi slt, %u, %c40 : tensor<16xi64>
  %qm = arith.addi %q, %m : tensor<16xi64>
  %s1 = nv_tileaa.splat %sum1 : i64 -> tensor<16xi64>
  %qs = arith.addi %qm, %s1 : tensor<16xi64>
  %a = arith.addi %sum, %qs : tensor<16xi64>
  %b = arith.addi %a, %h : tensor<16xi64>
  %ps = nv_tileaa.splat %p : !nv_tileaa.ptr<i64> -> tensor<16x!nv_tileaa.ptr<i64>>
  %os = nv_tileaa.splat %o : !nv_tileaa.ptr<i1> -> tensor<16x!nv_tileaa.ptr<i1>>
  %t = nv_tileaa.store %ps, %b : tensor<16x!nv_tileaa.ptr<i64>>, tensor<16xi64> -> !nv_tileaa.mem_token
  %v = nv_tileaa.store %os, %less : tensor<16x!nv_tileaa.ptr<i1>>, tensor<16xi1> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
