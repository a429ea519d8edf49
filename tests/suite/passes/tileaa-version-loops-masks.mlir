// RUN: tile-opt %s --gpu-name=sm_80 --tileaa-version-loops | FileCheck %s
// RUN: tile-opt %s --gpu-name=sm_80 --tileaa-version-loops --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: In the fastest, 1 loads test no bounds, 2 are aligned to 16 bytes, and 1 comparisons are decided. An iteration of the slowest makes 2048 accesses instead of 256, and tests 3072 bounds instead of 128
// REMARK: In the fastest, 1 loads test no bounds, 2 are aligned to 16 bytes, and 2 comparisons are decided

// A mask of columns, column < %k0, is true for all elements up to where the last column of the tile is, 31 further; the mask of rows stays. What the counter is multiplied by must not wrap, which the bound says. The address of the
// rows and their stride, of which the pointers are computed, are tested, and make the load wide; after the interior, that takes the number of columns to be a multiple too. What differs from row to row is compared as it was:
// the loop begins at a value of the run, and may be the end of another one.
// CHECK-LABEL: nv_tileaa.func @rows
// CHECK: %[[COLUMNS:.*]] = arith.extsi %k0 : i32 to i64
// CHECK: %[[LESS:.*]] = arith.constant -32 : i64
// CHECK: %[[LAST:.*]] = arith.addi %[[COLUMNS]], %[[LESS]] : i64
// CHECK: arith.cmpi sle, %{{.*}}, %[[LAST]] : i64
// CHECK: nv_tileaa.ptr_to_int %b
// CHECK: arith.andi %sa, %{{.*}} : i32
// CHECK: nv_tileaa.ptr_to_int %a
// CHECK: arith.andi %k0, %{{.*}} : i32
// CHECK: scf.if
// CHECK-NOT: arith.cmpi slt
// CHECK: nv_tileaa.load %{{.*}} mask %in2 : {{.*}}runs = array<i64: 1, 8>
// CHECK: arith.cmpi sge
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>, base_div = 16
// CHECK: scf.if
// CHECK: %[[MASK:.*]] = arith.andi %{{.*}}, %in2
// CHECK: nv_tileaa.load %{{.*}} mask %[[MASK]] : {{.*}}runs = array<i64: 1, 8>
// CHECK: scf.if
// CHECK: nv_tileaa.load %{{.*}} mask %in2
// CHECK-NOT: runs
// CHECK: scf.if
// CHECK: arith.cmpi slt
// CHECK: nv_tileaa.load
// CHECK-NOT: runs

// A loop from 0 is all there is: comparisons of each row are decided up to where the first row ends, and the select goes.
// CHECK-LABEL: nv_tileaa.func @causal
// CHECK: scf.if
// CHECK-NOT: arith.select
// CHECK: nv_tileaa.dot
// CHECK: scf.if
// CHECK: arith.select %{{.*}}, %{{.*}} : tensor<32x32xi1>
// CHECK: scf.if
// CHECK-NOT: arith.select
// CHECK: nv_tileaa.dot
// CHECK: scf.if
// CHECK: arith.select %{{.*}}, %{{.*}} : tensor<32x32xi1>

// Comparisons alone are worth a version too.
// CHECK-LABEL: nv_tileaa.func @wide_already
// CHECK: scf.if
// CHECK: nv_tileaa.load %{{.*}} mask %in2
// CHECK: scf.if
// CHECK: nv_tileaa.load %{{.*}} mask %in :

// Nothing is known of numbers that the program loads.
// CHECK-LABEL: nv_tileaa.func @unchanged_loaded
// CHECK-NOT: scf.if

// Inside another loop, a small MMA is worth versions for bounds, and a large one is not.
// CHECK-LABEL: nv_tileaa.func @inner
// CHECK: scf.for
// CHECK: scf.if
// CHECK: scf.for
// CHECK-LABEL: nv_tileaa.func @unchanged_large_inner
// CHECK-NOT: scf.if

// What an outer loop has computed is tested in each of its iterations, and says nothing of what it had computed in the iteration before: the load that adds both stays as it is.
// CHECK-LABEL: nv_tileaa.func @carried
// CHECK: arith.andi %now
// CHECK: scf.if
// CHECK: nv_tileaa.load %p4 token %tok : !nv_tileaa.mem_token {objects
// CHECK: nv_tileaa.load %pq2 token %tok : !nv_tileaa.mem_token {runs = array<i64: 1, 8>
module {
  nv_tileaa.func @rows(%out: !nv_tileaa.ptr<f32>, %pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %k: i32, %sa: i32, %sb: i32, %skew: i32, %lo: i32, %hi: i32, %columns: i32, %blocks: i32) {
    %none = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %one = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %zeros = arith.constant dense<0.000000e+00> : tensor<32x32xf16>
    %shift = arith.constant dense<30> : tensor<32x32xi32>
    %0 = arith.constant 1 : i64
    %1 = arith.constant 96 : i64
    %2 = arith.constant 32 : i64
    %tok = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %a = nv_tileaa.addptr %pa, %skew : !nv_tileaa.ptr<f16>, i32
    %b = nv_tileaa.addptr %pb, %skew : !nv_tileaa.ptr<f16>, i32
    %3 = arith.extsi %k : i32 to i64
    %4 = arith.extsi %n : i32 to i64
    %5 = arith.extsi %sb : i32 to i64
    %at, %by, %bz = nv_tileaa.get_program_id : i32, i32, i32
    %column = arith.remsi %at, %columns : i32
    %row = arith.divsi %at, %columns : i32
    %count = nv_tileaa.make_range : tensor<32xi32>
    %top = arith.muli %row, %c32 : i32
    %r1 = nv_tileaa.splat %top : i32 -> tensor<1xi32>
    %r2 = nv_tileaa.broadcast %r1 : tensor<1xi32> -> tensor<32xi32>
    %r3 = arith.addi %r2, %count : tensor<32xi32>
    %r4 = nv_tileaa.reshape %r3 : tensor<32xi32> -> tensor<32x1xi32>
    %lines = nv_tileaa.broadcast %r4 : tensor<32x1xi32> -> tensor<32x32xi32>
    %k0 = arith.subi %k, %one : i32
    %k1 = nv_tileaa.splat %k0 : i32 -> tensor<1x1xi32>
    %k2 = nv_tileaa.broadcast %k1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %m1 = nv_tileaa.splat %m : i32 -> tensor<1x1xi32>
    %m2 = nv_tileaa.broadcast %m1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %s1 = nv_tileaa.splat %sa : i32 -> tensor<1x1xi32>
    %s2 = nv_tileaa.broadcast %s1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %in2 = arith.cmpi ugt, %m2, %lines : tensor<32x32xi32>
    %o1 = arith.muli %lines, %s2 : tensor<32x32xi32>
    %p1 = nv_tileaa.splat %a : !nv_tileaa.ptr<f16> -> tensor<1x1x!nv_tileaa.ptr<f16>>
    %p2 = nv_tileaa.broadcast %p1 : tensor<1x1x!nv_tileaa.ptr<f16>> -> tensor<32x32x!nv_tileaa.ptr<f16>>
    %shifted = arith.addi %lines, %shift : tensor<32x32xi32>
    %6 = arith.extsi %column : i32 to i64
    %7 = arith.muli %6, %2 : i64
    %r = scf.for %i = %lo to %hi step %one iter_args(%acc = %none) -> (tensor<32x32xf32>) : i32 {
      %from = arith.muli %i, %c32 : i32
      %f1 = nv_tileaa.splat %from : i32 -> tensor<1xi32>
      %f2 = nv_tileaa.broadcast %f1 : tensor<1xi32> -> tensor<32xi32>
      %c1 = arith.addi %f2, %count : tensor<32xi32>
      %c2 = nv_tileaa.reshape %c1 : tensor<32xi32> -> tensor<1x32xi32>
      %cols = nv_tileaa.broadcast %c2 : tensor<1x32xi32> -> tensor<32x32xi32>
      %in1 = arith.cmpi slt, %cols, %k2 : tensor<32x32xi32>
      %in = arith.andi %in1, %in2 : tensor<32x32xi1>
      %o2 = arith.addi %o1, %cols : tensor<32x32xi32>
      %p3 = nv_tileaa.addptr %p2, %o2 : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xi32>
      %tc, %t1 = nv_tileaa.load %p3 mask %in : tensor<32x32xi1> other %zeros : tensor<32x32xf16> token %tok : !nv_tileaa.mem_token {objects = #nv_tileaa.objects<arg 1>} : tensor<32x32x!nv_tileaa.ptr<f16>> -> tensor<32x32xf16>, !nv_tileaa.mem_token
      %past = arith.cmpi sge, %shifted, %cols : tensor<32x32xi32>
      %ta = arith.select %past, %tc, %zeros : tensor<32x32xi1>, tensor<32x32xf16>
      %12 = arith.extsi %i : i32 to i64
      %13 = arith.muli %12, %2 : i64
      %tb, %t2 = nv_tileaa.tiled_load %b[%13, %7] sizes [%3, %4] strides [%5, %0] token %tok {padding = "zero", bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>, objects = #nv_tileaa.objects<arg 2>} : !nv_tileaa.ptr<f16> -> tensor<32x32xf16>
      %d = nv_tileaa.dot %ta, %tb, %acc : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
      scf.continue %d : tensor<32x32xf32>
    }
    %8 = arith.extsi %row : i32 to i64
    %9 = arith.muli %8, %2 : i64
    %10 = arith.extsi %column : i32 to i64
    %11 = arith.muli %10, %2 : i64
    %done = nv_tileaa.tiled_store %r, %out[%9, %11] sizes [%1, %1] strides [%1, %0] token %tok {bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 32, 32>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 0>} : tensor<32x32xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @causal(%out: !nv_tileaa.ptr<f32>, %pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %k: i32, %sa: i32, %sb: i32, %skew: i32, %lo: i32, %hi: i32, %columns: i32, %blocks: i32) {
    %none = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %zeros = arith.constant dense<0.000000e+00> : tensor<32x32xf16>
    %shift = arith.constant dense<30> : tensor<32x32xi32>
    %0 = arith.constant 1 : i64
    %1 = arith.constant 96 : i64
    %2 = arith.constant 32 : i64
    %tok = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %a = nv_tileaa.addptr %pa, %skew : !nv_tileaa.ptr<f16>, i32
    %b = nv_tileaa.addptr %pb, %skew : !nv_tileaa.ptr<f16>, i32
    %3 = arith.extsi %k : i32 to i64
    %4 = arith.extsi %n : i32 to i64
    %5 = arith.extsi %sb : i32 to i64
    %at, %by, %bz = nv_tileaa.get_program_id : i32, i32, i32
    %column = arith.remsi %at, %columns : i32
    %row = arith.divsi %at, %columns : i32
    %count = nv_tileaa.make_range : tensor<32xi32>
    %top = arith.muli %row, %c32 : i32
    %r1 = nv_tileaa.splat %top : i32 -> tensor<1xi32>
    %r2 = nv_tileaa.broadcast %r1 : tensor<1xi32> -> tensor<32xi32>
    %r3 = arith.addi %r2, %count : tensor<32xi32>
    %r4 = nv_tileaa.reshape %r3 : tensor<32xi32> -> tensor<32x1xi32>
    %lines = nv_tileaa.broadcast %r4 : tensor<32x1xi32> -> tensor<32x32xi32>
    %k0 = arith.subi %k, %one : i32
    %k1 = nv_tileaa.splat %k0 : i32 -> tensor<1x1xi32>
    %k2 = nv_tileaa.broadcast %k1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %m1 = nv_tileaa.splat %m : i32 -> tensor<1x1xi32>
    %m2 = nv_tileaa.broadcast %m1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %s1 = nv_tileaa.splat %sa : i32 -> tensor<1x1xi32>
    %s2 = nv_tileaa.broadcast %s1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %in2 = arith.cmpi ugt, %m2, %lines : tensor<32x32xi32>
    %o1 = arith.muli %lines, %s2 : tensor<32x32xi32>
    %p1 = nv_tileaa.splat %a : !nv_tileaa.ptr<f16> -> tensor<1x1x!nv_tileaa.ptr<f16>>
    %p2 = nv_tileaa.broadcast %p1 : tensor<1x1x!nv_tileaa.ptr<f16>> -> tensor<32x32x!nv_tileaa.ptr<f16>>
    %shifted = arith.addi %lines, %shift : tensor<32x32xi32>
    %6 = arith.extsi %column : i32 to i64
    %7 = arith.muli %6, %2 : i64
    %r = scf.for %i = %zero to %hi step %one iter_args(%acc = %none) -> (tensor<32x32xf32>) : i32 {
      %from = arith.muli %i, %c32 : i32
      %f1 = nv_tileaa.splat %from : i32 -> tensor<1xi32>
      %f2 = nv_tileaa.broadcast %f1 : tensor<1xi32> -> tensor<32xi32>
      %c1 = arith.addi %f2, %count : tensor<32xi32>
      %c2 = nv_tileaa.reshape %c1 : tensor<32xi32> -> tensor<1x32xi32>
      %cols = nv_tileaa.broadcast %c2 : tensor<1x32xi32> -> tensor<32x32xi32>
      %in1 = arith.cmpi slt, %cols, %k2 : tensor<32x32xi32>
      %in = arith.andi %in1, %in2 : tensor<32x32xi1>
      %o2 = arith.addi %o1, %cols : tensor<32x32xi32>
      %p3 = nv_tileaa.addptr %p2, %o2 : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xi32>
      %tc, %t1 = nv_tileaa.load %p3 mask %in : tensor<32x32xi1> other %zeros : tensor<32x32xf16> token %tok : !nv_tileaa.mem_token {objects = #nv_tileaa.objects<arg 1>} : tensor<32x32x!nv_tileaa.ptr<f16>> -> tensor<32x32xf16>, !nv_tileaa.mem_token
      %past = arith.cmpi sge, %shifted, %cols : tensor<32x32xi32>
      %ta = arith.select %past, %tc, %zeros : tensor<32x32xi1>, tensor<32x32xf16>
      %12 = arith.extsi %i : i32 to i64
      %13 = arith.muli %12, %2 : i64
      %tb, %t2 = nv_tileaa.tiled_load %b[%13, %7] sizes [%3, %4] strides [%5, %0] token %tok {padding = "zero", bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>, objects = #nv_tileaa.objects<arg 2>} : !nv_tileaa.ptr<f16> -> tensor<32x32xf16>
      %d = nv_tileaa.dot %ta, %tb, %acc : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
      scf.continue %d : tensor<32x32xf32>
    }
    %8 = arith.extsi %row : i32 to i64
    %9 = arith.muli %8, %2 : i64
    %10 = arith.extsi %column : i32 to i64
    %11 = arith.muli %10, %2 : i64
    %done = nv_tileaa.tiled_store %r, %out[%9, %11] sizes [%1, %1] strides [%1, %0] token %tok {bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 32, 32>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 0>} : tensor<32x32xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @wide_already(%out: !nv_tileaa.ptr<f32>, %pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %k: i32, %sa: i32, %sb: i32, %skew: i32, %lo: i32, %hi: i32, %columns: i32, %blocks: i32) {
    %none = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %one = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %zeros = arith.constant dense<0.000000e+00> : tensor<32x32xf16>
    %shift = arith.constant dense<30> : tensor<32x32xi32>
    %0 = arith.constant 1 : i64
    %1 = arith.constant 96 : i64
    %2 = arith.constant 32 : i64
    %tok = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %a = nv_tileaa.addptr %pa, %skew : !nv_tileaa.ptr<f16>, i32
    %b = nv_tileaa.addptr %pb, %skew : !nv_tileaa.ptr<f16>, i32
    %3 = arith.extsi %k : i32 to i64
    %4 = arith.extsi %n : i32 to i64
    %5 = arith.extsi %sb : i32 to i64
    %at, %by, %bz = nv_tileaa.get_program_id : i32, i32, i32
    %column = arith.remsi %at, %columns : i32
    %row = arith.divsi %at, %columns : i32
    %count = nv_tileaa.make_range : tensor<32xi32>
    %top = arith.muli %row, %c32 : i32
    %r1 = nv_tileaa.splat %top : i32 -> tensor<1xi32>
    %r2 = nv_tileaa.broadcast %r1 : tensor<1xi32> -> tensor<32xi32>
    %r3 = arith.addi %r2, %count : tensor<32xi32>
    %r4 = nv_tileaa.reshape %r3 : tensor<32xi32> -> tensor<32x1xi32>
    %lines = nv_tileaa.broadcast %r4 : tensor<32x1xi32> -> tensor<32x32xi32>
    %k0 = arith.subi %k, %one : i32
    %k1 = nv_tileaa.splat %k0 : i32 -> tensor<1x1xi32>
    %k2 = nv_tileaa.broadcast %k1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %m1 = nv_tileaa.splat %m : i32 -> tensor<1x1xi32>
    %m2 = nv_tileaa.broadcast %m1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %s1 = nv_tileaa.splat %sa : i32 -> tensor<1x1xi32>
    %s2 = nv_tileaa.broadcast %s1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %in2 = arith.cmpi ugt, %m2, %lines : tensor<32x32xi32>
    %o1 = arith.muli %lines, %s2 : tensor<32x32xi32>
    %p1 = nv_tileaa.splat %a : !nv_tileaa.ptr<f16> -> tensor<1x1x!nv_tileaa.ptr<f16>>
    %p2 = nv_tileaa.broadcast %p1 : tensor<1x1x!nv_tileaa.ptr<f16>> -> tensor<32x32x!nv_tileaa.ptr<f16>>
    %shifted = arith.addi %lines, %shift : tensor<32x32xi32>
    %6 = arith.extsi %column : i32 to i64
    %7 = arith.muli %6, %2 : i64
    %r = scf.for %i = %lo to %hi step %one iter_args(%acc = %none) -> (tensor<32x32xf32>) : i32 {
      %from = arith.muli %i, %c32 : i32
      %f1 = nv_tileaa.splat %from : i32 -> tensor<1xi32>
      %f2 = nv_tileaa.broadcast %f1 : tensor<1xi32> -> tensor<32xi32>
      %c1 = arith.addi %f2, %count : tensor<32xi32>
      %c2 = nv_tileaa.reshape %c1 : tensor<32xi32> -> tensor<1x32xi32>
      %cols = nv_tileaa.broadcast %c2 : tensor<1x32xi32> -> tensor<32x32xi32>
      %in1 = arith.cmpi slt, %cols, %k2 : tensor<32x32xi32>
      %in = arith.andi %in1, %in2 : tensor<32x32xi1>
      %o2 = arith.addi %o1, %cols : tensor<32x32xi32>
      %p3 = nv_tileaa.addptr %p2, %o2 : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xi32>
      %tc, %t1 = nv_tileaa.load %p3 mask %in : tensor<32x32xi1> other %zeros : tensor<32x32xf16> token %tok : !nv_tileaa.mem_token {runs = array<i64: 1, 8>, objects = #nv_tileaa.objects<arg 1>} : tensor<32x32x!nv_tileaa.ptr<f16>> -> tensor<32x32xf16>, !nv_tileaa.mem_token
      %past = arith.cmpi sge, %shifted, %cols : tensor<32x32xi32>
      %ta = arith.select %past, %tc, %zeros : tensor<32x32xi1>, tensor<32x32xf16>
      %12 = arith.extsi %i : i32 to i64
      %13 = arith.muli %12, %2 : i64
      %tb, %t2 = nv_tileaa.tiled_load %b[%13, %7] sizes [%3, %4] strides [%5, %0] token %tok {padding = "zero", bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 8, 8>, stride_div = array<i64: 8, 1>, objects = #nv_tileaa.objects<arg 2>} : !nv_tileaa.ptr<f16> -> tensor<32x32xf16>
      %d = nv_tileaa.dot %ta, %tb, %acc : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
      scf.continue %d : tensor<32x32xf32>
    }
    %8 = arith.extsi %row : i32 to i64
    %9 = arith.muli %8, %2 : i64
    %10 = arith.extsi %column : i32 to i64
    %11 = arith.muli %10, %2 : i64
    %done = nv_tileaa.tiled_store %r, %out[%9, %11] sizes [%1, %1] strides [%1, %0] token %tok {bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 32, 32>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 0>} : tensor<32x32xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @unchanged_loaded(%out: !nv_tileaa.ptr<f32>, %pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<f16>, %m: i32, %n: i32, %k: i32, %sa: i32, %sb: i32, %skew: i32, %lo: i32, %hi: i32, %columns: i32, %blocks: i32) {
    %none = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %one = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %pi = nv_tileaa.ptr_to_ptr %pa : !nv_tileaa.ptr<f16> -> !nv_tileaa.ptr<i32>
    %pl0 = nv_tileaa.splat %pi : !nv_tileaa.ptr<i32> -> tensor<1x1x!nv_tileaa.ptr<i32>>
    %pl = nv_tileaa.broadcast %pl0 : tensor<1x1x!nv_tileaa.ptr<i32>> -> tensor<32x32x!nv_tileaa.ptr<i32>>
    %zeros = arith.constant dense<0.000000e+00> : tensor<32x32xf16>
    %shift = arith.constant dense<30> : tensor<32x32xi32>
    %0 = arith.constant 1 : i64
    %1 = arith.constant 96 : i64
    %2 = arith.constant 32 : i64
    %tok = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %a = nv_tileaa.addptr %pa, %skew : !nv_tileaa.ptr<f16>, i32
    %b = nv_tileaa.addptr %pb, %skew : !nv_tileaa.ptr<f16>, i32
    %3 = arith.extsi %k : i32 to i64
    %4 = arith.extsi %n : i32 to i64
    %5 = arith.extsi %sb : i32 to i64
    %at, %by, %bz = nv_tileaa.get_program_id : i32, i32, i32
    %column = arith.remsi %at, %columns : i32
    %row = arith.divsi %at, %columns : i32
    %count = nv_tileaa.make_range : tensor<32xi32>
    %top = arith.muli %row, %c32 : i32
    %r1 = nv_tileaa.splat %top : i32 -> tensor<1xi32>
    %r2 = nv_tileaa.broadcast %r1 : tensor<1xi32> -> tensor<32xi32>
    %r3 = arith.addi %r2, %count : tensor<32xi32>
    %r4 = nv_tileaa.reshape %r3 : tensor<32xi32> -> tensor<32x1xi32>
    %lines = nv_tileaa.broadcast %r4 : tensor<32x1xi32> -> tensor<32x32xi32>
    %k0 = arith.subi %k, %one : i32
    %k1 = nv_tileaa.splat %k0 : i32 -> tensor<1x1xi32>
    %k2 = nv_tileaa.broadcast %k1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %m1 = nv_tileaa.splat %m : i32 -> tensor<1x1xi32>
    %m2 = nv_tileaa.broadcast %m1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %s1 = nv_tileaa.splat %sa : i32 -> tensor<1x1xi32>
    %s2 = nv_tileaa.broadcast %s1 : tensor<1x1xi32> -> tensor<32x32xi32>
    %in2 = arith.cmpi ugt, %m2, %lines : tensor<32x32xi32>
    %o1 = arith.muli %lines, %s2 : tensor<32x32xi32>
    %p1 = nv_tileaa.splat %a : !nv_tileaa.ptr<f16> -> tensor<1x1x!nv_tileaa.ptr<f16>>
    %p2 = nv_tileaa.broadcast %p1 : tensor<1x1x!nv_tileaa.ptr<f16>> -> tensor<32x32x!nv_tileaa.ptr<f16>>
    %shifted = arith.addi %lines, %shift : tensor<32x32xi32>
    %6 = arith.extsi %column : i32 to i64
    %7 = arith.muli %6, %2 : i64
    %r = scf.for %i = %lo to %hi step %one iter_args(%acc = %none) -> (tensor<32x32xf32>) : i32 {
      %from = arith.muli %i, %c32 : i32
      %f1 = nv_tileaa.splat %from : i32 -> tensor<1xi32>
      %f2 = nv_tileaa.broadcast %f1 : tensor<1xi32> -> tensor<32xi32>
      %c1 = arith.addi %f2, %count : tensor<32xi32>
      %c2 = nv_tileaa.reshape %c1 : tensor<32xi32> -> tensor<1x32xi32>
      %cols = nv_tileaa.broadcast %c2 : tensor<1x32xi32> -> tensor<32x32xi32>
      %limit, %tl = nv_tileaa.load %pl token %tok : !nv_tileaa.mem_token {objects = #nv_tileaa.objects<arg 1>} : tensor<32x32x!nv_tileaa.ptr<i32>> -> tensor<32x32xi32>, !nv_tileaa.mem_token
      %in1 = arith.cmpi slt, %cols, %limit : tensor<32x32xi32>
      %in = arith.andi %in1, %in2 : tensor<32x32xi1>
      %o2 = arith.addi %o1, %cols : tensor<32x32xi32>
      %p3 = nv_tileaa.addptr %p2, %o2 : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xi32>
      %tc, %t1 = nv_tileaa.load %p3 mask %in : tensor<32x32xi1> other %zeros : tensor<32x32xf16> token %tok : !nv_tileaa.mem_token {runs = array<i64: 1, 8>, objects = #nv_tileaa.objects<arg 1>} : tensor<32x32x!nv_tileaa.ptr<f16>> -> tensor<32x32xf16>, !nv_tileaa.mem_token
      %past = arith.cmpi sge, %shifted, %cols : tensor<32x32xi32>
      %ta = arith.select %past, %tc, %zeros : tensor<32x32xi1>, tensor<32x32xf16>
      %12 = arith.extsi %i : i32 to i64
      %13 = arith.muli %12, %2 : i64
      %tb, %t2 = nv_tileaa.tiled_load %b[%13, %7] sizes [%3, %4] strides [%5, %0] token %tok {padding = "zero", bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 8, 8>, stride_div = array<i64: 8, 1>, objects = #nv_tileaa.objects<arg 2>} : !nv_tileaa.ptr<f16> -> tensor<32x32xf16>
      %d = nv_tileaa.dot %ta, %tb, %acc : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
      scf.continue %d : tensor<32x32xf32>
    }
    %8 = arith.extsi %row : i32 to i64
    %9 = arith.muli %8, %2 : i64
    %10 = arith.extsi %column : i32 to i64
    %11 = arith.muli %10, %2 : i64
    %done = nv_tileaa.tiled_store %r, %out[%9, %11] sizes [%1, %1] strides [%1, %0] token %tok {bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 32, 32>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 0>} : tensor<32x32xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @inner(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %out: !nv_tileaa.ptr<f32>, %n: i64, %hi: i32) {
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %0 = arith.constant 0 : i64
    %1 = arith.constant 1 : i64
    %2 = arith.constant 32 : i64
    %tok = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    scf.for %j = %zero to %hi step %one : i32 {
      %3 = arith.extsi %j : i32 to i64
      %4 = arith.muli %3, %2 : i64
      %r = scf.for %i = %zero to %hi step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
        %5 = arith.extsi %i : i32 to i64
        %6 = arith.muli %5, %2 : i64
        %ta, %t1 = nv_tileaa.tiled_load %a[%4, %6] sizes [%n, %n] strides [%2, %1] token %tok {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 8, 8>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f16> -> tensor<64x32xf16>
        %tb, %t2 = nv_tileaa.tiled_load %b[%6, %4] sizes [%n, %n] strides [%2, %1] token %tok {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 8, 8>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileaa.ptr<f16> -> tensor<32x64xf16>
        %d = nv_tileaa.dot %ta, %tb, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
        scf.continue %d : tensor<64x64xf32>
      }
      %done = nv_tileaa.tiled_store %r, %out[%4, %0] sizes [%n, %n] strides [%2, %1] token %tok {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 8, 8>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
      scf.continue
    }
    nv_tileaa.return
  }
  nv_tileaa.func @unchanged_large_inner(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %out: !nv_tileaa.ptr<f32>, %n: i64, %hi: i32) {
    %none = arith.constant dense<0.000000e+00> : tensor<256x256xf32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %0 = arith.constant 0 : i64
    %1 = arith.constant 1 : i64
    %2 = arith.constant 32 : i64
    %tok = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    scf.for %j = %zero to %hi step %one : i32 {
      %3 = arith.extsi %j : i32 to i64
      %4 = arith.muli %3, %2 : i64
      %r = scf.for %i = %zero to %hi step %one iter_args(%acc = %none) -> (tensor<256x256xf32>) : i32 {
        %5 = arith.extsi %i : i32 to i64
        %6 = arith.muli %5, %2 : i64
        %ta, %t1 = nv_tileaa.tiled_load %a[%4, %6] sizes [%n, %n] strides [%2, %1] token %tok {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 8, 8>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f16> -> tensor<256x32xf16>
        %tb, %t2 = nv_tileaa.tiled_load %b[%6, %4] sizes [%n, %n] strides [%2, %1] token %tok {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 8, 8>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileaa.ptr<f16> -> tensor<32x256xf16>
        %d = nv_tileaa.dot %ta, %tb, %acc : tensor<256x32xf16>, tensor<32x256xf16> -> tensor<256x256xf32>
        scf.continue %d : tensor<256x256xf32>
      }
      %done = nv_tileaa.tiled_store %r, %out[%4, %0] sizes [%n, %n] strides [%2, %1] token %tok {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 8, 8>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<256x256xf32>, !nv_tileaa.ptr<f32>
      scf.continue
    }
    nv_tileaa.return
  }
  nv_tileaa.func @carried(%out: !nv_tileaa.ptr<f32>, %pa: !nv_tileaa.ptr<f16>, %pb: !nv_tileaa.ptr<f16>, %turns: i32, %hi: i32, %k: i32) {
    %none = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c1l = arith.constant 1 : i64
    %c32l = arith.constant 32 : i64
    %tok = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %a = nv_tileaa.assume %pa div_by<16> : !nv_tileaa.ptr<f16>
    %b = nv_tileaa.assume %pb div_by<16> : !nv_tileaa.ptr<f16>
    %count = nv_tileaa.make_range : tensor<32xi32>
    %r4 = nv_tileaa.reshape %count : tensor<32xi32> -> tensor<32x1xi32>
    %lines = nv_tileaa.broadcast %r4 : tensor<32x1xi32> -> tensor<32x32xi32>
    %l32 = arith.constant dense<32> : tensor<32x32xi32>
    %rows = arith.muli %lines, %l32 : tensor<32x32xi32>
    %c2 = nv_tileaa.reshape %count : tensor<32xi32> -> tensor<1x32xi32>
    %cols = nv_tileaa.broadcast %c2 : tensor<1x32xi32> -> tensor<32x32xi32>
    %at0 = arith.addi %rows, %cols : tensor<32x32xi32>
    %p1 = nv_tileaa.splat %a : !nv_tileaa.ptr<f16> -> tensor<32x32x!nv_tileaa.ptr<f16>>
    %p2 = nv_tileaa.addptr %p1, %at0 : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xi32>
    %res, %last = scf.for %o = %zero to %turns step %one iter_args(%sum = %none, %prev = %zero) -> (tensor<32x32xf32>, i32) : i32 {
      %now = arith.muli %o, %k : i32
      %prevs = nv_tileaa.splat %prev : i32 -> tensor<32x32xi32>
      %nows = nv_tileaa.splat %now : i32 -> tensor<32x32xi32>
      %off = arith.addi %prevs, %nows : tensor<32x32xi32>
      %p3 = nv_tileaa.addptr %p2, %off : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xi32>
      %r = scf.for %i = %zero to %hi step %one iter_args(%acc = %sum) -> (tensor<32x32xf32>) : i32 {
        %f = arith.muli %i, %c32 : i32
        %fs = nv_tileaa.splat %f : i32 -> tensor<32x32xi32>
        %p4 = nv_tileaa.addptr %p3, %fs : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xi32>
        %tc, %t1 = nv_tileaa.load %p4 token %tok : !nv_tileaa.mem_token {objects = #nv_tileaa.objects<arg 1>} : tensor<32x32x!nv_tileaa.ptr<f16>> -> tensor<32x32xf16>, !nv_tileaa.mem_token
        %pq = nv_tileaa.splat %b : !nv_tileaa.ptr<f16> -> tensor<32x32x!nv_tileaa.ptr<f16>>
        %pq1 = nv_tileaa.addptr %pq, %at0 : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xi32>
        %pq2 = nv_tileaa.addptr %pq1, %nows : tensor<32x32x!nv_tileaa.ptr<f16>>, tensor<32x32xi32>
        %tb, %t2 = nv_tileaa.load %pq2 token %tok : !nv_tileaa.mem_token {objects = #nv_tileaa.objects<arg 2>} : tensor<32x32x!nv_tileaa.ptr<f16>> -> tensor<32x32xf16>, !nv_tileaa.mem_token
        %d = nv_tileaa.dot %tc, %tb, %acc : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
        scf.continue %d : tensor<32x32xf32>
      }
      scf.continue %r, %now : tensor<32x32xf32>, i32
    }
    %done = nv_tileaa.tiled_store %res, %out[%c1l, %c1l] sizes [%c32l, %c32l] strides [%c32l, %c1l] token %tok {bounds = array<i1: true, true>, base_div = 1 : i64, offset_div = array<i64: 1, 1>, size_div = array<i64: 32, 32>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 0>} : tensor<32x32xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
}
