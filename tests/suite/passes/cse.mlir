// RUN: tile-opt %s --split-input-file --cse --gpu-name=sm_90 | FileCheck %s

// What is computed twice from the same operands is computed once, also if the second is in a region inside.
// CHECK-LABEL: nv_tileaa.func @twice
// CHECK: %[[A:.*]] = arith.addi %n, %n : i32
// CHECK-NOT: arith.addi
// CHECK: scf.if
// CHECK-NEXT: nv_tileaa.store %p, %[[A]]
nv_tileaa.func @twice(%p: !nv_tileaa.ptr<i32>, %n: i32, %c: i1) {
  %a = arith.addi %n, %n : i32
  %b = arith.addi %n, %n : i32
  %t = nv_tileaa.store %p, %b : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  scf.if %c {
    %d = arith.addi %n, %n : i32
    %s = nv_tileaa.store %p, %d token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    scf.yield
  }
  nv_tileaa.return
}

// -----

// Two blocks, the first of which dominates the second.
// CHECK-LABEL: nvvm.func @dominated
// CHECK: %[[A:.*]] = arith.muli %x, %x : i32
// CHECK-NOT: arith.muli
nvvm.func @dominated(%p: !nvvm.ptr<1>, %x: i32, %c: i1) {
  %a = arith.muli %x, %x : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %b = arith.muli %x, %x : i32
  nvvm.st %p, %b : !nvvm.ptr<1>, i32
  cf.br ^bb2
^bb2:
  nvvm.st %p + 4, %a : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// Equal operations of other attributes or types differ, and so do two loads with a store between them.
// CHECK-LABEL: nv_tileaa.func @unchanged_kinds
nv_tileaa.func @unchanged_kinds(%p: !nv_tileaa.ptr<f32>, %x: f32, %y: f32) {
  %a = arith.addf %x, %y : f32
  %b = arith.addf %x, %y {rounding = "zero"} : f32
  %c = arith.subf %a, %b : f32
  %d = arith.subf %b, %a : f32
  %v, %t = nv_tileaa.load %p : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %s = nv_tileaa.store %p, %c token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  %w, %u = nv_tileaa.load %p token %s : !nv_tileaa.mem_token : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %e = arith.addf %v, %w : f32
  %f = arith.addf %e, %d : f32
  %r = nv_tileaa.store %p, %f token %u : !nv_tileaa.mem_token : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Neither arm of an if dominates the other, nor what is after it.
// CHECK-LABEL: nvvm.func @unchanged_arms
nvvm.func @unchanged_arms(%p: !nvvm.ptr<1>, %x: i32, %c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = arith.muli %x, %x : i32
  nvvm.st %p, %a : !nvvm.ptr<1>, i32
  cf.br ^bb3
^bb2:
  %b = arith.muli %x, %x : i32
  nvvm.st %p + 4, %b : !nvvm.ptr<1>, i32
  cf.br ^bb3
^bb3:
  nvvm.return
}

// -----

// Each allocation is memory of its own, each barrier a meeting of its own.
// CHECK-LABEL: nv_tileaa.func @unchanged_places
nv_tileaa.func @unchanged_places(%x: i32) {
  %a = nv_tileaa.alloca 64 {alignment = 16 : i64} : !nv_tileaa.ptr<i32>
  %b = nv_tileaa.alloca 64 {alignment = 16 : i64} : !nv_tileaa.ptr<i32>
  %s = nv_tileaa.store %a, %x : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %t = nv_tileaa.store %b, %x : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}
