// RUN: tile-opt %s --gpu-name=sm_90 --tileaa-version-loops | FileCheck %s --check-prefixes=CHECK,WIDENED
// RUN: tile-opt %s --gpu-name=sm_120 --tileaa-version-loops | FileCheck %s --check-prefixes=CHECK,MULTIPLIED

// An MMA of 2,048 matrix instructions, as one of 8-bit floats where the target multiplies f16 instead, is not duplicated for its tests of bounds; one of half as many may be.
// CHECK-LABEL: nv_tileaa.func @large
// WIDENED-NOT: scf.if
// MULTIPLIED: scf.if

// Wide accesses are worth it.
// CHECK-LABEL: nv_tileaa.func @unaligned
// CHECK: scf.if
module {
  nv_tileaa.func @large(%p: !nv_tileaa.ptr<f8E4M3FN>, %q: !nv_tileaa.ptr<f8E4M3FN>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 128 : i64
    %1 = arith.constant 128 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %2 = arith.constant 1 : i64
    %w = arith.constant 256 : i64
    %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f8E4M3FN>
    %b = nv_tileaa.assume %q div_by<16> : !nv_tileaa.ptr<f8E4M3FN>
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
    %10 = arith.muli %9, %w : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<128x256xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 128>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f8E4M3FN> -> tensor<128x128xf8E4M3FN>
      %o, %u = nv_tileaa.tiled_load %b[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 256>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileaa.ptr<f8E4M3FN> -> tensor<128x256xf8E4M3FN>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<128x128xf8E4M3FN>, tensor<128x256xf8E4M3FN> -> tensor<128x256xf32>
      scf.continue %d : tensor<128x256xf32>
    }
    %11 = arith.extsi %x : i32 to i64
    %12 = arith.muli %11, %1 : i64
    %13 = arith.extsi %y : i32 to i64
    %14 = arith.muli %13, %w : i64
    %done = nv_tileaa.tiled_store %sum, %c[%12, %14] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 256>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<128x256xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @unaligned(%p: !nv_tileaa.ptr<f8E4M3FN>, %q: !nv_tileaa.ptr<f8E4M3FN>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 128 : i64
    %1 = arith.constant 128 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %2 = arith.constant 1 : i64
    %w = arith.constant 256 : i64
    %a = nv_tileaa.assume %p div_by<1> : !nv_tileaa.ptr<f8E4M3FN>
    %b = nv_tileaa.assume %q div_by<1> : !nv_tileaa.ptr<f8E4M3FN>
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
    %10 = arith.muli %9, %w : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<128x256xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, offset_div = array<i64: 128, 128>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f8E4M3FN> -> tensor<128x128xf8E4M3FN>
      %o, %u = nv_tileaa.tiled_load %b[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, offset_div = array<i64: 128, 256>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 1>} : !nv_tileaa.ptr<f8E4M3FN> -> tensor<128x256xf8E4M3FN>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<128x128xf8E4M3FN>, tensor<128x256xf8E4M3FN> -> tensor<128x256xf32>
      scf.continue %d : tensor<128x256xf32>
    }
    %11 = arith.extsi %x : i32 to i64
    %12 = arith.muli %11, %1 : i64
    %13 = arith.extsi %y : i32 to i64
    %14 = arith.muli %13, %w : i64
    %done = nv_tileaa.tiled_store %sum, %c[%12, %14] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, offset_div = array<i64: 128, 256>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>, objects = #nv_tileaa.objects<arg 2>} : tensor<128x256xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
}
