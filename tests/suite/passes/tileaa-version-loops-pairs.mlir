// RUN: tile-opt %s --tileaa-version-loops --tensor-maps=none | FileCheck %s

// Real and imaginary parts are neighbours. Where strides are multiples of two elements, a thread loads both at once.
// CHECK-LABEL: nv_tileaa.func @pairs
// CHECK: scf.if
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false, false>, base_div = 16 {{.*}}stride_div = array<i64: 2, 2, 1>
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false, false>, {{.*}}stride_div = array<i64: 1, 1, 1>
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true, true>, {{.*}}stride_div = array<i64: 1, 1, 1>
module {
  nv_tileaa.func @pairs(%a: !nv_tileaa.ptr<f32>, %r: !nv_tileaa.ptr<f32>, %m: i32, %k: i32, %s0: i32, %s1: i32) {
    %0 = arith.constant 32 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %1 = arith.constant 1 : i64
    %2 = arith.constant 2 : i64
    %none64 = arith.constant 0 : i64
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %rows = arith.extsi %m : i32 to i64
    %depth = arith.extsi %k : i32 to i64
    %apart = arith.extsi %s0 : i32 to i64
    %next = arith.extsi %s1 : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %3 = arith.ceildivsi %depth, %0 : i64
    %steps = arith.trunci %3 : i64 to i32
    %4 = arith.extsi %x : i32 to i64
    %row = arith.muli %4, %0 : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<32x32xf32>) : i32 {
      %5 = arith.extsi %s : i32 to i64
      %column = arith.muli %5, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%row, %column, %none64] sizes [%rows, %depth, %2] strides [%apart, %next, %1] token %start {padding = "zero", bounds = array<i1: true, true, true>, offset_div = array<i64: 32, 32, 4611686018427387904>, size_div = array<i64: 1, 1, 2>, stride_div = array<i64: 1, 1, 1>, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f32> -> tensor<32x32x2xf32>
      %re = nv_tileaa.extract %l[%zero, %zero, %zero] : tensor<32x32x2xf32>, i32, i32, i32 -> tensor<32x32x1xf32>
      %im = nv_tileaa.extract %l[%zero, %zero, %one] : tensor<32x32x2xf32>, i32, i32, i32 -> tensor<32x32x1xf32>
      %b = nv_tileaa.reshape %re : tensor<32x32x1xf32> -> tensor<32x32xf32>
      %c = nv_tileaa.reshape %im : tensor<32x32x1xf32> -> tensor<32x32xf32>
      %d = nv_tileaa.dot %b, %c, %acc : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
      scf.continue %d : tensor<32x32xf32>
    }
    %done = nv_tileaa.tiled_store %sum, %r[%row, %none64] sizes [%rows, %0] strides [%0, %1] token %start {bounds = array<i1: true, true>, offset_div = array<i64: 32, 32>, size_div = array<i64: 1, 32>, stride_div = array<i64: 32, 1>, objects = #nv_tileaa.objects<arg 1>} : tensor<32x32xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
}
