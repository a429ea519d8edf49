// RUN: tile-opt %s --split-input-file --canonicalize --gpu-name=sm_90 | FileCheck %s

// What canonicalize does at levels 1 to 3; the patterns of cuda_tile have suites of their own under canonicalize.

// Arithmetic of constants is done, and what nothing uses goes.
// CHECK-LABEL: nv_tileaa.func @folds
// CHECK-NEXT: %[[C:.*]] = arith.constant 7 : i32
// CHECK-NEXT: %{{.*}} = nv_tileaa.store %p, %[[C]]
// CHECK-NEXT: nv_tileaa.return
nv_tileaa.func @folds(%p: !nv_tileaa.ptr<i32>, %n: i32) {
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %seven = arith.addi %three, %four : i32
  %dead = arith.muli %n, %n : i32
  %t = nv_tileaa.store %p, %seven : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// A choice between equal values is that value.
// CHECK-LABEL: nv_tileas.func @choices
// CHECK-NOT: arith.select
// CHECK: nv_tileas.store %p, %x
// CHECK-NEXT: nv_tileas.return
nv_tileas.func @choices(%p: !nv_tileas.ptr<i32>, %x: i32, %c: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %y = arith.select %c, %x, %x : i1, i32
  %t = nv_tileas.store %p, %y : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// Addresses add up; a pack of what was unpacked is the original.
// CHECK-LABEL: nvvm.func @registers
// CHECK-NEXT: nvvm.st %p, %i
// CHECK-NEXT: nvvm.return
nvvm.func @registers(%p: !nvvm.ptr<1>, %i: i32) {
  %lo, %hi = nvvm.unpack %i : i32 -> f16, f16
  %same = nvvm.pack %lo, %hi : f16, f16 -> i32
  %zero = arith.constant 0 : i64
  %q = nvvm.ptradd %p, %zero : !nvvm.ptr<1>, i64
  nvvm.st %q, %same : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// Floats keep their signs and their rounding, accesses stay even if nothing reads them, orders stay.
// CHECK-LABEL: nv_tileaa.func @unchanged_floats
nv_tileaa.func @unchanged_floats(%p: !nv_tileaa.ptr<f32>, %x: f32, %y: f32) {
  %zero = arith.constant 0.000000e+00 : f32
  %a = arith.addf %x, %zero : f32
  %b = arith.subf %a, %a : f32
  %c = arith.mulf %b, %zero : f32
  %d = arith.addf %c, %y : f32
  %e = arith.addf %d, %x : f32
  %t = nv_tileaa.store %p, %e : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// CHECK-LABEL: nv_tileas.func @unchanged_effects
nv_tileas.func @unchanged_effects(%p: !nv_tileas.ptr<i32>, %x: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %v, %t = nv_tileas.load %p {ordering = "acquire", scope = "device"} : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
  nv_tileas.barrier
  %s = nv_tileas.store %p, %x token %t : !nv_tileas.mem_token : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %u = nv_tileas.store %p, %x token %s : !nv_tileas.mem_token : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// A division may trap, so it is neither done twice nor moved; a barrier of the warp stays.
// CHECK-LABEL: nvvm.func @unchanged_threads
nvvm.func @unchanged_threads(%p: !nvvm.ptr<1>, %x: i32, %y: i32, %c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %q = arith.divsi %x, %y : i32
  nvvm.st %p, %q : !nvvm.ptr<1>, i32
  cf.br ^bb2
^bb2:
  nvvm.barrier
  nvvm.return
}

// -----

// Multiplications by constants are merged, also where they wrap; of what both promise, that stays which both do.
// CHECK-LABEL: nvvm.func @products
// CHECK-DAG: %[[SIX:.*]] = arith.constant 6 : i64
// CHECK-DAG: %[[WRAPPED:.*]] = arith.constant -2 : i32
// CHECK: arith.muli %n, %[[SIX]] overflow<no_signed_wrap> : i64
// CHECK: arith.muli %n, %[[SIX]] : i64
// CHECK: arith.muli %m, %[[WRAPPED]] : i32
nvvm.func @products(%p: !nvvm.ptr<1>, %n: i64, %m: i32) {
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %a = arith.muli %n, %two overflow<no_signed_wrap> : i64
  %b = arith.muli %a, %three overflow<no_signed_wrap> : i64
  %c = arith.muli %n, %three overflow<no_signed_wrap> : i64
  %d = arith.muli %c, %two : i64
  %large = arith.constant 0x7fffffff : i32
  %small = arith.constant 2 : i32
  %e = arith.muli %m, %large : i32
  %f = arith.muli %e, %small : i32
  nvvm.st %p, %b, %d : !nvvm.ptr<1>, i64, i64
  nvvm.st %p + 16, %f : !nvvm.ptr<1>, i32
  nvvm.return
}

// -----

// Multiplications by two values stay two.
// CHECK-LABEL: nvvm.func @other_products
// CHECK-COUNT-2: arith.muli
nvvm.func @other_products(%p: !nvvm.ptr<1>, %n: i64, %m: i64) {
  %two = arith.constant 2 : i64
  %a = arith.muli %n, %m : i64
  %b = arith.muli %a, %two : i64
  nvvm.st %p, %b : !nvvm.ptr<1>, i64
  nvvm.return
}
