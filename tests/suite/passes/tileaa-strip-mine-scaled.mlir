// RUN: tile-opt %s --gpu-name=sm_80 --tileaa-strip-mine | FileCheck %s
// RUN: tile-opt %s --gpu-name=sm_90 --tileaa-strip-mine | FileCheck %s --check-prefix=UNSPLIT

// Without an instruction that scales, and none that converts 8-bit floats, operands are converted in registers in addition to the accumulators and those of a block: half of the rows fit. Scales are split with them.
// CHECK-LABEL: @scaled
// CHECK: scf.for
// CHECK: scf.for
// CHECK: nv_tileaa.tiled_load %s{{.*}} -> tensor<64x4xf8E8M0FNU>
// CHECK: nv_tileaa.dot_scaled {{.*}} : tensor<64x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<64x4xf8E8M0FNU>, tensor<4x128xf8E8M0FNU> -> tensor<64x128xf32>
// UNSPLIT-LABEL: @scaled
// UNSPLIT: nv_tileaa.dot_scaled {{.*}} : tensor<128x128xf8E4M3FN>
nv_tileaa.func @scaled(%a: !nv_tileaa.ptr<f8E4M3FN>, %b: !nv_tileaa.ptr<f8E4M3FN>, %s: !nv_tileaa.ptr<f8E8M0FNU>, %c: !nv_tileaa.ptr<f32>, %n: i64, %k: i64) {
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 128 : i64
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i64 {
    %x, %tx = nv_tileaa.tiled_load %a[%zero, %i] sizes [%n, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 128>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %y, %ty = nv_tileaa.tiled_load %b[%i, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 128>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %xs, %ts = nv_tileaa.tiled_load %s[%zero, %i] sizes [%n, %k] strides [%k, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f8E8M0FNU> -> tensor<128x4xf8E8M0FNU>
    %ys, %tt = nv_tileaa.tiled_load %s[%i, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f8E8M0FNU> -> tensor<4x128xf8E8M0FNU>
    %next = nv_tileaa.dot_scaled %x, %y, %acc, %xs, %ys : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x4xf8E8M0FNU>, tensor<4x128xf8E8M0FNU> -> tensor<128x128xf32>
    scf.continue %next : tensor<128x128xf32>
  }
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
