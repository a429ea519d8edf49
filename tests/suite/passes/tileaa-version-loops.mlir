// RUN: tile-opt %s --tileaa-version-loops --tensor-maps=none | FileCheck %s
// RUN: tile-opt %s --tileaa-version-loops --tensor-maps=none --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_80 --remarks -o %t 2>&1 | FileCheck %s --check-prefix=NAMED

// NAMED: remark: loop pipelined (version for tiles inside of bounds): an iteration starts
// NAMED: remark: loop pipelined (version for all other iterations): an iteration starts

// REMARK: remark: loop has 2 versions, chosen by 6 comparisons before it. In the fastest, 2 loads test no bounds, 0 are aligned to 16 bytes, and 0 comparisons are decided. An iteration of the slowest tests 1024 bounds instead of 0
// REMARK: remark: loop has 4 versions, chosen by 10 comparisons before it. In the fastest, 2 loads test no bounds, 2 are aligned to 16 bytes, and 0 comparisons are decided. An iteration of the slowest makes 4096 accesses instead of 512, and tests 8192 bounds instead of 0

// The tiles that do not move are tested once, of those that do the first one; where the last of them begins is computed, and up to there no bounds are tested. The original loop does the rest, or all.
// CHECK-LABEL: nv_tileaa.func @edges
// CHECK: %[[ROOM:.*]] = arith.subi %3, %{{.*}} : i64
// CHECK: arith.cmpi sge, %8, %{{.*}} : i64
// CHECK: arith.cmpi sle, %8, %[[ROOM]]
// CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %0 : i64
// CHECK: %[[DEPTH:.*]] = arith.subi %4, %{{.*}} : i64
// CHECK: arith.cmpi sge, %[[FIRST]], %{{.*}} : i64
// CHECK: arith.cmpi sle, %[[FIRST]], %[[DEPTH]]
// CHECK: %[[LEFT:.*]] = arith.subi %[[DEPTH]], %[[FIRST]] : i64
// CHECK: %[[CUT:.*]] = arith.minsi %[[LEFT]], %{{.*}} : i64
// CHECK: %[[TURNS:.*]] = arith.divui %[[CUT]], %{{.*}} : i64
// CHECK: arith.addi %[[TURNS]], %{{.*}} : i64
// CHECK: arith.maxsi
// CHECK: %[[END:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[INTERIOR:.*]] = scf.if %[[INSIDE:.*]] -> (tensor<64x64xf32>) {
// CHECK: scf.for %{{.*}} = %zero to %[[END]] step %one
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>
// CHECK: } {nv_tileaa.version = "tiles inside of bounds"}
// CHECK: } else {
// CHECK: %[[START:.*]] = arith.select %[[INSIDE]], %[[END]], %zero : i1, i32
// CHECK: %[[REST:.*]] = arith.cmpi slt, %[[START]], %steps
// CHECK: scf.if %[[REST]]
// CHECK: scf.for %{{.*}} = %[[START]] to %steps step %one iter_args(%{{.*}} = %[[INTERIOR]])
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>

// What is not known of addresses and strides is tested too, and a fact in the fastest version; where sizes are multiples of a vector too, edges are wide. Without, the interior still tests no bounds.
// CHECK-LABEL: nv_tileaa.func @unaligned
// CHECK: nv_tileaa.ptr_to_int %a
// CHECK: arith.andi %{{.*}}, %{{.*}} : i64
// CHECK: scf.if
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>, {{.*}}base_div = 16 {{.*}}stride_div = array<i64: 8, 1>
// CHECK: scf.if
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>, {{.*}}base_div = 16 {{.*}}size_div = array<i64: 16, 16>, stride_div = array<i64: 8, 1>
// CHECK: scf.if
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>, {{.*}}stride_div = array<i64: 1, 1>
// CHECK: scf.if
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>, {{.*}}stride_div = array<i64: 1, 1>

// Loads that have all facts, and loops without an MMA, stay.
// CHECK-LABEL: nv_tileaa.func @unchanged_inside
// CHECK-NOT: scf.if
// CHECK-LABEL: nv_tileaa.func @unchanged_no_product
// CHECK-NOT: scf.if
module {
  nv_tileaa.func @edges(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %2 = arith.constant 1 : i64
    %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
    %b = nv_tileaa.assume %q div_by<16> : !nv_tileaa.ptr<f16>
    %c = nv_tileaa.assume %r div_by<16> : !nv_tileaa.ptr<f32>
    %rows = nv_tileaa.assume %m div_by<16> : i32
    %columns = nv_tileaa.assume %n div_by<16> : i32
    %depth = nv_tileaa.assume %k div_by<16> : i32
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %3 = arith.extsi %rows : i32 to i64
    %4 = arith.extsi %depth : i32 to i64
    %5 = arith.extsi %columns : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %1 : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f16> -> tensor<64x32xf16>
      %o, %u = nv_tileaa.tiled_load %b[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileaa.ptr<f16> -> tensor<32x64xf16>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.continue %d : tensor<64x64xf32>
    }
    %11 = arith.extsi %x : i32 to i64
    %12 = arith.muli %11, %1 : i64
    %13 = arith.extsi %y : i32 to i64
    %14 = arith.muli %13, %1 : i64
    %done = nv_tileaa.tiled_store %sum, %c[%12, %14] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @unaligned(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %2 = arith.constant 1 : i64
    %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
    %b = nv_tileaa.assume %q div_by<16> : !nv_tileaa.ptr<f16>
    %c = nv_tileaa.assume %r div_by<16> : !nv_tileaa.ptr<f32>
    %rows = nv_tileaa.assume %m div_by<16> : i32
    %columns = nv_tileaa.assume %n div_by<16> : i32
    %depth = nv_tileaa.assume %k div_by<16> : i32
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %3 = arith.extsi %rows : i32 to i64
    %4 = arith.extsi %depth : i32 to i64
    %5 = arith.extsi %columns : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %1 : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, offset_div = array<i64: 64, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 1, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f16> -> tensor<64x32xf16>
      %o, %u = nv_tileaa.tiled_load %b[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, offset_div = array<i64: 32, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 1, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileaa.ptr<f16> -> tensor<32x64xf16>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.continue %d : tensor<64x64xf32>
    }
    %11 = arith.extsi %x : i32 to i64
    %12 = arith.muli %11, %1 : i64
    %13 = arith.extsi %y : i32 to i64
    %14 = arith.muli %13, %1 : i64
    %done = nv_tileaa.tiled_store %sum, %c[%12, %14] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 1, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @unchanged_inside(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %2 = arith.constant 1 : i64
    %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
    %b = nv_tileaa.assume %q div_by<16> : !nv_tileaa.ptr<f16>
    %c = nv_tileaa.assume %r div_by<16> : !nv_tileaa.ptr<f32>
    %rows = nv_tileaa.assume %m div_by<16> : i32
    %columns = nv_tileaa.assume %n div_by<16> : i32
    %depth = nv_tileaa.assume %k div_by<16> : i32
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %3 = arith.extsi %rows : i32 to i64
    %4 = arith.extsi %depth : i32 to i64
    %5 = arith.extsi %columns : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %1 : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f16> -> tensor<64x32xf16>
      %o, %u = nv_tileaa.tiled_load %b[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileaa.ptr<f16> -> tensor<32x64xf16>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.continue %d : tensor<64x64xf32>
    }
    %11 = arith.extsi %x : i32 to i64
    %12 = arith.muli %11, %1 : i64
    %13 = arith.extsi %y : i32 to i64
    %14 = arith.muli %13, %1 : i64
    %done = nv_tileaa.tiled_store %sum, %c[%12, %14] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @unchanged_no_product(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %2 = arith.constant 1 : i64
    %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
    %b = nv_tileaa.assume %q div_by<16> : !nv_tileaa.ptr<f16>
    %c = nv_tileaa.assume %r div_by<16> : !nv_tileaa.ptr<f32>
    %rows = nv_tileaa.assume %m div_by<16> : i32
    %columns = nv_tileaa.assume %n div_by<16> : i32
    %depth = nv_tileaa.assume %k div_by<16> : i32
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %3 = arith.extsi %rows : i32 to i64
    %4 = arith.extsi %depth : i32 to i64
    %5 = arith.extsi %columns : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %1 : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f16> -> tensor<64x32xf16>
      %o, %u = nv_tileaa.tiled_load %b[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileaa.ptr<f16> -> tensor<32x64xf16>
      %d = arith.addf %acc, %none : tensor<64x64xf32>
      scf.continue %d : tensor<64x64xf32>
    }
    %11 = arith.extsi %x : i32 to i64
    %12 = arith.muli %11, %1 : i64
    %13 = arith.extsi %y : i32 to i64
    %14 = arith.muli %13, %1 : i64
    %done = nv_tileaa.tiled_store %sum, %c[%12, %14] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
}
