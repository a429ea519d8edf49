// RUN: tile-opt %s --split-input-file --tileaa-attach-objects | FileCheck %s
// RUN: tile-opt %s --split-input-file --pass-pipeline='builtin.module(nv_tileaa.func(tileaa-attach-objects,licm))' > /dev/null

// A pointer is followed through offsets, assumptions, casts, splats and shapes.
// CHECK-LABEL: @followed
nv_tileaa.func @followed(%p: !nv_tileaa.ptr<f32>, %n: i32, %q: !nv_tileaa.ptr<i8>) {
  %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f32>
  %b = nv_tileaa.addptr %a, %n : !nv_tileaa.ptr<f32>, i32
  // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<arg 0>}
  %x, %t = nv_tileaa.load %b : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %c = nv_tileaa.ptr_to_ptr %q : !nv_tileaa.ptr<i8> -> !nv_tileaa.ptr<f32>
  %d = nv_tileaa.splat %c : !nv_tileaa.ptr<f32> -> tensor<8x!nv_tileaa.ptr<f32>>
  %r = nv_tileaa.make_range : tensor<8xi32>
  %e = nv_tileaa.addptr %d, %r : tensor<8x!nv_tileaa.ptr<f32>>, tensor<8xi32>
  %f = nv_tileaa.reshape %e : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<2x4x!nv_tileaa.ptr<f32>>
  // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<arg 2>}
  %y, %u = nv_tileaa.load %f : tensor<2x4x!nv_tileaa.ptr<f32>> -> tensor<2x4xf32>, !nv_tileaa.mem_token
  // CHECK: nv_tileaa.tiled_load {{.*}}objects = #nv_tileaa.objects<arg 0>
  %k = arith.constant 4 : i64
  %z, %v = nv_tileaa.tiled_load %b[%k] sizes [%k] strides [%k] {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<4xf32>
  nv_tileaa.return
}

// -----

// Choice: select, if and loop join sets.
// CHECK-LABEL: @chosen
nv_tileaa.func @chosen(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %r: !nv_tileaa.ptr<f32>, %c: i1, %n: i32) {
  %s = arith.select %c, %p, %q : i1, !nv_tileaa.ptr<f32>
  // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<arg 0, arg 1>}
  %x, %t = nv_tileaa.load %s : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %i = scf.if %c -> (!nv_tileaa.ptr<f32>) {
    scf.yield %q : !nv_tileaa.ptr<f32>
  } else {
    scf.yield %r : !nv_tileaa.ptr<f32>
  }
  // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<arg 1, arg 2>}
  %y, %u = nv_tileaa.load %i : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  // The two pointers change places with every iteration.
  %a, %b = scf.for %k = %0 to %n step %1 iter_args(%l = %p, %m = %q) -> (!nv_tileaa.ptr<f32>, !nv_tileaa.ptr<f32>) : i32 {
    // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<arg 0, arg 1>}
    %z, %v = nv_tileaa.load %l : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
    scf.continue %m, %l : !nv_tileaa.ptr<f32>, !nv_tileaa.ptr<f32>
  }
  nv_tileaa.return
}

// -----

// Integers: a number added to an address stays in the object; the sum of two addresses, and an integer from elsewhere, are not known.
// CHECK-LABEL: @integers
nv_tileaa.func @integers(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64) {
  %a = nv_tileaa.ptr_to_int %p : !nv_tileaa.ptr<f32> -> i64
  %b = nv_tileaa.ptr_to_int %q : !nv_tileaa.ptr<f32> -> i64
  %c = arith.addi %a, %n : i64
  %d = nv_tileaa.int_to_ptr %c : i64 -> !nv_tileaa.ptr<f32>
  // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<arg 0>}
  %x, %t = nv_tileaa.load %d : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %e = arith.subi %a, %b : i64
  %f = nv_tileaa.int_to_ptr %e : i64 -> !nv_tileaa.ptr<f32>
  // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<arg 0, arg 1, unknown>}
  %y, %u = nv_tileaa.load %f : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %g = nv_tileaa.int_to_ptr %n : i64 -> !nv_tileaa.ptr<f32>
  // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<unknown>}
  %z, %v = nv_tileaa.load %g : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  // What arithmetic hides is unknown.
  %h = arith.muli %a, %n : i64
  %i = nv_tileaa.int_to_ptr %h : i64 -> !nv_tileaa.ptr<f32>
  // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<unknown>}
  %w, %o = nv_tileaa.load %i : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// Allocas are numbered, variables have names, and a pointer that was loaded may point anywhere.
nv_tileaa.global @table = dense<[1, 2, 3, 4]> : tensor<4xi32>
// CHECK-LABEL: @sources
nv_tileaa.func @sources(%p: !nv_tileaa.ptr<!nv_tileaa.ptr<i32>>) {
  // CHECK: nv_tileaa.alloca 16 {object = 0 : i64}
  // CHECK: nv_tileaa.alloca 32 {object = 1 : i64}
  %a = nv_tileaa.alloca 16 : !nv_tileaa.ptr<i32>
  %b = nv_tileaa.alloca 32 : !nv_tileaa.ptr<i32>
  %g = nv_tileaa.get_global "table" : !nv_tileaa.ptr<i32>
  %k = arith.constant 7 : i32
  // CHECK: nv_tileaa.store {{.*}} {objects = #nv_tileaa.objects<alloca 1>}
  %t = nv_tileaa.store %b, %k : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<global @table>}
  %x, %u = nv_tileaa.load %g : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  // CHECK: nv_tileaa.load {{.*}} {objects = #nv_tileaa.objects<arg 0>}
  %q, %v = nv_tileaa.load %p : !nv_tileaa.ptr<!nv_tileaa.ptr<i32>> -> !nv_tileaa.ptr<i32>, !nv_tileaa.mem_token
  // CHECK: nv_tileaa.atomic_rmw {{.*}}objects = #nv_tileaa.objects<unknown>
  %y, %w = nv_tileaa.atomic_rmw add %q, %k {ordering = "relaxed", scope = "device"} : !nv_tileaa.ptr<i32>, i32 -> i32, !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A kernel that accesses no memory has nothing to look at.
// CHECK-LABEL: @unchanged_arithmetic
nv_tileaa.func @unchanged_arithmetic(%n: i32) {
  %one = arith.constant 1 : i32
  %a = arith.addi %n, %one : i32
  %c = arith.cmpi slt, %n, %a : i32
  nv_tileaa.assert %c, "no overflow" : i1
  nv_tileaa.return
}

// -----

// Control never comes to the last load, so nothing is known of its pointer there. What it is computed from is known once that has been hoisted, which is no fault of licm.
// CHECK-LABEL: @never
// CHECK: nv_tileaa.load %{{.*}} {objects = #nv_tileaa.objects<unknown>}
nv_tileaa.func @never(%p: !nv_tileaa.ptr<i32>, %n: i32, %c: i1) {
  %one = arith.constant 1 : i32
  scf.for %k = %one to %n step %one : i32 {
    scf.if %c {
      scf.continue
    } else {
      scf.continue
    }
    %q = nv_tileaa.addptr %p, %one : !nv_tileaa.ptr<i32>, i32
    %x, %a = nv_tileaa.load %q : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
    scf.continue
  }
  nv_tileaa.return
}
