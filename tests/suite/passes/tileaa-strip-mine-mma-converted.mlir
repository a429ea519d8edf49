// RUN: tile-opt %s --gpu-name=sm_80 --tileaa-strip-mine | FileCheck %s
// RUN: tile-opt %s --gpu-name=sm_90 --tileaa-strip-mine | FileCheck %s --check-prefix=ASYNC

// Weights in i8 become f16 in registers. The next tile of them is on its way while mma.sync multiplies from registers, so
// four warps have too few. wgmma multiplies from shared memory.
// CHECK-LABEL: @weights
// CHECK-SAME: num_warps = 8
// ASYNC-NOT: num_warps
nv_tileaa.func @weights(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<i8>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 64 : i64
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i64 {
    %x, %tx = nv_tileaa.tiled_load %a[%zero, %i] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1024, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x64xf16>
    %w, %tw = nv_tileaa.tiled_load %b[%i, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 1024>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<i8> -> tensor<64x128xi8>
    %y = arith.sitofp %w : tensor<64x128xi8> to tensor<64x128xf16>
    %d = nv_tileaa.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.continue %d : tensor<128x128xf32>
  }
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// Each step rounds its own part of an operand in f32 to tf32, so that it waits for nothing.
// CHECK-LABEL: @rounded
// CHECK-NOT: num_warps
nv_tileaa.func @rounded(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 32 : i64
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %none) -> (tensor<128x64xf32>) : i64 {
    %x, %tx = nv_tileaa.tiled_load %a[%zero, %i] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1024, 32>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f32> -> tensor<128x32xf32>
    %w, %tw = nv_tileaa.tiled_load %b[%i, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 1024>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f32> -> tensor<32x64xf32>
    %xt = arith.ftof %x : tensor<128x32xf32> to tensor<128x32xtf32>
    %wt = arith.ftof %w : tensor<32x64xf32> to tensor<32x64xtf32>
    %d = nv_tileaa.dot %xt, %wt, %acc : tensor<128x32xtf32>, tensor<32x64xtf32> -> tensor<128x64xf32>
    scf.continue %d : tensor<128x64xf32>
  }
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
