// RUN: tile-opt %s --tileaa-version-loops --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --tileaa-version-loops --gpu-name=sm_90 --tensor-maps=device | FileCheck %s --check-prefix=DEVICE
// RUN: tile-opt %s --tileaa-version-loops --gpu-name=sm_89 | FileCheck %s --check-prefix=THREADS
// RUN: tile-opt %s --tileaa-version-loops --gpu-name=sm_120 | FileCheck %s --check-prefix=THREADS
// RUN: tile-opt %s --tileaa-version-loops --gpu-name=sm_90 --tensor-maps=none | FileCheck %s --check-prefix=THREADS

// Loads that will be TMA loads gain nothing where bounds hold: the machine tests each element.
// CHECK-LABEL: nv_tileaa.func @bulk
// CHECK-NOT: scf.if
// THREADS-LABEL: nv_tileaa.func @bulk
// THREADS: scf.if

// What a tensor map needs and is not known, that the address and the strides are multiples of 16 bytes, is tested: one version then does all, and without it the interior tests no bounds as usual.
// CHECK-LABEL: nv_tileaa.func @unaligned
// CHECK: %[[WIDE:.*]] = scf.if %[[ALIGNED:.*]] -> (tensor<64x64xf32>) {
// CHECK: scf.for %{{.*}} = %zero to %steps step %one
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>, {{.*}}base_div = 16 {{.*}}size_div = array<i64: 1, 1>, stride_div = array<i64: 8, 1>
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>, {{.*}}base_div = 16 {{.*}}size_div = array<i64: 1, 1>, stride_div = array<i64: 8, 1>
// CHECK: scf.if
// CHECK: scf.for %{{.*}} = %zero to %{{.*}} step %one iter_args(%{{.*}} = %[[WIDE]])
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>, {{.*}}stride_div = array<i64: 1, 1>
// CHECK: scf.if
// CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>, {{.*}}stride_div = array<i64: 1, 1>
// CHECK-NOT: scf.if

// A load with other uses too, and synchronous MMAs, need their versions: of few rows, and, on sm_90, of bytes that are along columns of B.
// CHECK-LABEL: nv_tileaa.func @elsewhere
// CHECK: scf.if
// CHECK-LABEL: nv_tileaa.func @few_rows
// CHECK: scf.if
// CHECK-LABEL: nv_tileaa.func @bytes
// CHECK: scf.if

// A map that each CTA makes is not profitable for 8 iterations.
// CHECK-LABEL: nv_tileaa.func @few_iterations
// CHECK-NOT: scf.if
// DEVICE-LABEL: nv_tileaa.func @few_iterations
// DEVICE: scf.if
module {
  nv_tileaa.func @bulk(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %64 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %few = arith.constant 8 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %2 = arith.constant 1 : i64
    %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
    %rows = nv_tileaa.assume %m lower<0> : i32
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %3 = arith.extsi %rows : i32 to i64
    %4 = arith.extsi %k : i32 to i64
    %5 = arith.extsi %n : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %64 : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x32xf16>
      %o, %u = nv_tileaa.tiled_load %q[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<32x64xf16>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.continue %d : tensor<64x64xf32>
    }
    %end = nv_tileaa.tiled_store %sum, %r[%8, %10] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @unaligned(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %64 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %few = arith.constant 8 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %2 = arith.constant 1 : i64
    %a = nv_tileaa.assume %p div_by<2> : !nv_tileaa.ptr<f16>
    %rows = nv_tileaa.assume %m lower<0> : i32
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %3 = arith.extsi %rows : i32 to i64
    %4 = arith.extsi %k : i32 to i64
    %5 = arith.extsi %n : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %64 : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, offset_div = array<i64: 64, 32>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x32xf16>
      %o, %u = nv_tileaa.tiled_load %q[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : !nv_tileaa.ptr<f16> -> tensor<32x64xf16>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.continue %d : tensor<64x64xf32>
    }
    %end = nv_tileaa.tiled_store %sum, %r[%8, %10] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @elsewhere(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %64 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %few = arith.constant 8 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %2 = arith.constant 1 : i64
    %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
    %rows = nv_tileaa.assume %m lower<0> : i32
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %3 = arith.extsi %rows : i32 to i64
    %4 = arith.extsi %k : i32 to i64
    %5 = arith.extsi %n : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %64 : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x32xf16>
      %o, %u = nv_tileaa.tiled_load %q[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<32x64xf16>
      %done = nv_tileaa.tiled_store %l, %p[%8, %16] sizes [%3, %4] strides [%4, %2] token %t {bounds = array<i1: true, true>, offset_div = array<i64: 64, 32>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : tensor<64x32xf16>, !nv_tileaa.ptr<f16>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.continue %d : tensor<64x64xf32>
    }
    %end = nv_tileaa.tiled_store %sum, %r[%8, %10] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @few_rows(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 32 : i64
    %64 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %few = arith.constant 8 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %2 = arith.constant 1 : i64
    %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
    %rows = nv_tileaa.assume %m lower<0> : i32
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %3 = arith.extsi %rows : i32 to i64
    %4 = arith.extsi %k : i32 to i64
    %5 = arith.extsi %n : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %64 : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<32x64xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<32x32xf16>
      %o, %u = nv_tileaa.tiled_load %q[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<32x64xf16>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<32x32xf16>, tensor<32x64xf16> -> tensor<32x64xf32>
      scf.continue %d : tensor<32x64xf32>
    }
    %end = nv_tileaa.tiled_store %sum, %r[%8, %10] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : tensor<32x64xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
  nv_tileaa.func @bytes(%p: !nv_tileaa.ptr<i8>, %q: !nv_tileaa.ptr<i8>, %r: !nv_tileaa.ptr<i32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %64 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %few = arith.constant 8 : i32
    %none = arith.constant dense<0> : tensor<64x64xi32>
    %2 = arith.constant 1 : i64
    %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<i8>
    %rows = nv_tileaa.assume %m lower<0> : i32
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %3 = arith.extsi %rows : i32 to i64
    %4 = arith.extsi %k : i32 to i64
    %5 = arith.extsi %n : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %64 : i64
    %sum = scf.for %s = %zero to %steps step %one iter_args(%acc = %none) -> (tensor<64x64xi32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<i8> -> tensor<64x32xi8>
      %o, %u = nv_tileaa.tiled_load %q[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<i8> -> tensor<32x64xi8>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<64x32xi8>, tensor<32x64xi8> -> tensor<64x64xi32>
      scf.continue %d : tensor<64x64xi32>
    }
    %end = nv_tileaa.tiled_store %sum, %r[%8, %10] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : tensor<64x64xi32>, !nv_tileaa.ptr<i32>
    nv_tileaa.return
  }
  nv_tileaa.func @few_iterations(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f16>, %r: !nv_tileaa.ptr<f32>, %m: i32, %n: i32, %k: i32) {
    %0 = arith.constant 32 : i64
    %1 = arith.constant 64 : i64
    %64 = arith.constant 64 : i64
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %few = arith.constant 8 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %2 = arith.constant 1 : i64
    %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f16>
    %rows = nv_tileaa.assume %m lower<0> : i32
    %start = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
    %3 = arith.extsi %rows : i32 to i64
    %4 = arith.extsi %k : i32 to i64
    %5 = arith.extsi %n : i32 to i64
    %x, %y, %z = nv_tileaa.get_program_id : i32, i32, i32
    %6 = arith.ceildivsi %4, %0 : i64
    %steps = arith.trunci %6 : i64 to i32
    %7 = arith.extsi %x : i32 to i64
    %8 = arith.muli %7, %1 : i64
    %9 = arith.extsi %y : i32 to i64
    %10 = arith.muli %9, %64 : i64
    %sum = scf.for %s = %zero to %few step %one iter_args(%acc = %none) -> (tensor<64x64xf32>) : i32 {
      %15 = arith.extsi %s : i32 to i64
      %16 = arith.muli %15, %0 : i64
      %l, %t = nv_tileaa.tiled_load %a[%8, %16] sizes [%3, %4] strides [%4, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 32>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x32xf16>
      %o, %u = nv_tileaa.tiled_load %q[%16, %10] sizes [%4, %5] strides [%5, %2] token %start {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 16, 1>} : !nv_tileaa.ptr<f16> -> tensor<32x64xf16>
      %d = nv_tileaa.dot %l, %o, %acc : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.continue %d : tensor<64x64xf32>
    }
    %end = nv_tileaa.tiled_store %sum, %r[%8, %10] sizes [%3, %5] strides [%5, %2] token %start {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>, size_div = array<i64: 1, 1>, stride_div = array<i64: 1, 1>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
}

// An operand with one dimension in memory: the dimension along which its elements are adjacent is unknown, also after a permutation.
// CHECK-LABEL: nv_tileaa.func @flat
// CHECK: nv_tileaa.permute
nv_tileaa.func @flat(%a: !nv_tileaa.ptr<f8E4M3FN>, %b: !nv_tileaa.ptr<f8E4M3FN>, %c: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 64 : i64
  %k = arith.constant 1024 : i64
  %init = arith.constant dense<0.0> : tensor<64x64xf32>
  %s = scf.for %i = %zero to %k step %step iter_args(%acc = %init) -> (tensor<64x64xf32>) : i64 {
  %x, %tx = nv_tileaa.tiled_load %a[%zero, %i] sizes [%k, %k] strides [%k, %one] {bounds = array<i1: true, true>, stride_div = array<i64: 1024, 1>, size_div=array<i64: 1024, 1024>, offset_div=array<i64: 64,64>} : !nv_tileaa.ptr<f8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %y, %ty = nv_tileaa.tiled_load %b[%i] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileaa.ptr<f8E4M3FN> -> tensor<4096xf8E4M3FN>
  %p = nv_tileaa.permute %y [0] : tensor<4096xf8E4M3FN> -> tensor<4096xf8E4M3FN>
  %r = nv_tileaa.reshape %p : tensor<4096xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %d = nv_tileaa.dot %x, %r, %acc : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    scf.continue %d : tensor<64x64xf32>
  }
  %u = nv_tileaa.tiled_store %s, %c[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
