// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileaa-strip-mine | FileCheck %s
// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileaa-strip-mine --verify-diagnostics
// RUN: tile-opt %s --split-input-file --gpu-name=sm_80 --tileaa-strip-mine | FileCheck %s --check-prefix=SYNC

// Accumulators of 512x128 in f32 take all registers of an SM. They are split along the rows, which reloads only the smaller operand. Each part runs all iterations, and an element is accumulated in the same order.
// CHECK-LABEL: @rows
// CHECK: %[[N:.*]] = arith.constant 2 : i32
// CHECK: scf.for %[[I:[a-z0-9]+]] = %{{.*}} to %[[N]]
// CHECK: scf.for {{.*}} -> (tensor<256x128xf32>)
// CHECK: nv_tileaa.tiled_load %a[{{.*}}] {{.*}}offset_div = array<i64: 256, 64>{{.*}} -> tensor<256x64xf16>
// CHECK: nv_tileaa.tiled_load %b[{{.*}}] {{.*}} -> tensor<64x128xf16>
// CHECK: nv_tileaa.dot {{.*}} : tensor<256x64xf16>, tensor<64x128xf16> -> tensor<256x128xf32>
// CHECK: nv_tileaa.tiled_store {{.*}} : tensor<256x128xf32>
// CHECK-NOT: 512x
nv_tileaa.func @rows(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 64 : i64
  %none = arith.constant dense<0.0> : tensor<512x128xf32>
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %none) -> (tensor<512x128xf32>) : i64 {
    %x, %tx = nv_tileaa.tiled_load %a[%zero, %i] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1024, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<512x64xf16>
    %y, %ty = nv_tileaa.tiled_load %b[%i, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x128xf16>
    %next = nv_tileaa.dot %x, %y, %acc : tensor<512x64xf16>, tensor<64x128xf16> -> tensor<512x128xf32>
    scf.continue %next : tensor<512x128xf32>
  }
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<512x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Along both, one loop in another, where that takes fewer loads: of 512x512 two parts of the rows in four of the columns, and not eight of the rows.
// CHECK-LABEL: @rows_and_columns
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: nv_tileaa.dot {{.*}} : tensor<256x32xf16>, tensor<32x128xf16> -> tensor<256x128xf32>
// CHECK-NOT: 512
nv_tileaa.func @rows_and_columns(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : tensor<512x512xf32>
  %x, %tx = nv_tileaa.tiled_load %a[%zero, %zero] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<512x32xf16>
  %y, %ty = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<32x512xf16>
  %sum = nv_tileaa.dot %x, %y, %none : tensor<512x32xf16>, tensor<32x512xf16> -> tensor<512x512xf32>
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<512x512xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// What is loaded before the loop and used inside is split with it.
// CHECK-LABEL: @chained
// CHECK: scf.for
// CHECK: %[[Q:.*]], %{{.*}} = nv_tileaa.tiled_load %a{{.*}} -> tensor<128x128xf16>
// CHECK: scf.for
// CHECK: nv_tileaa.dot %[[Q]], {{.*}} -> tensor<128x64xf32>
// CHECK: nv_tileaa.dot {{.*}} : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
nv_tileaa.func @chained(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %k: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 64 : i64
  %none = arith.constant dense<0.0> : tensor<512x128xf32>
  %scores = arith.constant dense<0.0> : tensor<512x64xf32>
  %q, %tq = nv_tileaa.tiled_load %a[%zero, %zero] sizes [%m, %m] strides [%m, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<512x128xf16>
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %none) -> (tensor<512x128xf32>) : i64 {
    %x, %tx = nv_tileaa.tiled_load %b[%zero, %i] sizes [%m, %k] strides [%one, %m] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 1, 64>} : !nv_tileaa.ptr<f16> -> tensor<128x64xf16>
    %y, %ty = nv_tileaa.tiled_load %b[%i, %zero] sizes [%k, %m] strides [%m, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<64x128xf16>
    %s = nv_tileaa.dot %q, %x, %scores : tensor<512x128xf16>, tensor<128x64xf16> -> tensor<512x64xf32>
    %e = arith.exp2 %s : tensor<512x64xf32>
    %p = arith.ftof %e : tensor<512x64xf32> to tensor<512x64xf16>
    %next = nv_tileaa.dot %p, %y, %acc : tensor<512x64xf16>, tensor<64x128xf16> -> tensor<512x128xf32>
    scf.continue %next : tensor<512x128xf32>
  }
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %m] strides [%m, %one] {bounds = array<i1: true, true>} : tensor<512x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// What fits eight warps is not split.
// CHECK-LABEL: @unchanged
// CHECK-NOT: scf.for
nv_tileaa.func @unchanged(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : tensor<128x256xf32>
  %x, %tx = nv_tileaa.tiled_load %a[%zero, %zero] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x32xf16>
  %y, %ty = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<32x256xf16>
  %sum = nv_tileaa.dot %x, %y, %none : tensor<128x32xf16>, tensor<32x256xf16> -> tensor<128x256xf32>
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x256xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// A store that may be to the memory of an operand must not come before the loads of the next part.
// CHECK-LABEL: @ordered
// CHECK: nv_tileaa.dot {{.*}} -> tensor<512x128xf32>
nv_tileaa.func @ordered(%a: !nv_tileaa.ptr<f32>, %k: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : tensor<512x128xf32>
  %x, %tx = nv_tileaa.tiled_load %a[%zero, %zero] sizes [%k, %k] strides [%k, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<512x32xf32>
  // expected-remark@+1 {{do not fit the registers and are not split: 'nv_tileaa.tiled_load' needs entire tiles}}
  %y, %ty = nv_tileaa.tiled_load %a[%k, %zero] sizes [%k, %k] strides [%k, %one] token %tx {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<32x128xf32>
  %xh = arith.ftof %x : tensor<512x32xf32> to tensor<512x32xf16>
  %yh = arith.ftof %y : tensor<32x128xf32> to tensor<32x128xf16>
  %sum = nv_tileaa.dot %xh, %yh, %none : tensor<512x32xf16>, tensor<32x128xf16> -> tensor<512x128xf32>
  %u = nv_tileaa.tiled_store %sum, %a[%zero, %k] sizes [%k, %k] strides [%k, %one] token %ty {bounds = array<i1: true, true>} : tensor<512x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// More warps, if these are enough: the operands of a step, which each warp has for itself along the rows, do not fit in four warps in addition to what is live. wgmma reads operands from shared memory.
// CHECK-LABEL: @warps
// CHECK-NOT: num_warps
// CHECK-NOT: scf.for
// SYNC-LABEL: @warps
// SYNC-SAME: num_warps = 8
// SYNC-NOT: scf.for
nv_tileaa.func @warps(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %x, %tx = nv_tileaa.tiled_load %a[%zero, %zero] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x128xf16>
  %y, %ty = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 512, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x128xf16>
  %s = nv_tileaa.dot %x, %y, %none : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  %h = arith.ftof %s : tensor<128x128xf32> to tensor<128x128xf16>
  %r = nv_tileaa.dot %h, %y, %none : tensor<128x128xf16>, tensor<128x128xf16> -> tensor<128x128xf32>
  %u = nv_tileaa.tiled_store %r, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
