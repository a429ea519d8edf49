// RUN: tile-opt %s --split-input-file --tileaa-fold-batches | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileaa-fold-batches --pass-statistics --pass-statistics-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

// STATS: 2 num-carried
// STATS: 1 num-folded

// Four matrices of 32 rows are multiplied by the same matrix. Their rows are those of one matrix. Both loops carry that, and
// it is reshaped after them.
// CHECK-LABEL: @taps
// CHECK: %[[A:[a-z0-9]+]] = nv_tileaa.splat {{.*}} -> tensor<4x32x64xf16>
// CHECK: %[[W:[a-z0-9]+]] = nv_tileaa.splat {{.*}} -> tensor<64x64xf16>
// CHECK: %[[INIT:[a-z0-9]+]] = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
// CHECK: %[[SUM:[a-z0-9]+]] = scf.for {{.*}} iter_args(%[[OUTER:[a-z0-9]+]] = %[[INIT]]) -> (tensor<128x64xf32>)
// CHECK: %[[NEXT:[a-z0-9]+]] = scf.for {{.*}} iter_args(%[[ACC:[a-z0-9]+]] = %[[OUTER]]) -> (tensor<128x64xf32>)
// CHECK: %[[ROWS:[a-z0-9]+]] = nv_tileaa.reshape %[[A]] : tensor<4x32x64xf16> -> tensor<128x64xf16>
// CHECK: %[[D:[a-z0-9]+]] = nv_tileaa.dot %[[ROWS]], %[[W]], %[[ACC]] : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
// CHECK: scf.continue %[[D]] : tensor<128x64xf32>
// CHECK: scf.continue %[[NEXT]] : tensor<128x64xf32>
// CHECK: nv_tileaa.reshape %[[SUM]] : tensor<128x64xf32> -> tensor<4x32x64xf32>
nv_tileaa.func @taps(%a0: f16, %w0: f16, %n: i32) {
  %a = nv_tileaa.splat %a0 : f16 -> tensor<4x32x64xf16>
  %w = nv_tileaa.splat %w0 : f16 -> tensor<64x64xf16>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<4x32x64xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%outer = %none) -> (tensor<4x32x64xf32>) : i32 {
    %next = scf.for %j = %zero to %n step %one iter_args(%acc = %outer) -> (tensor<4x32x64xf32>) : i32 {
      %w1 = nv_tileaa.reshape %w : tensor<64x64xf16> -> tensor<1x64x64xf16>
      %all = nv_tileaa.broadcast %w1 : tensor<1x64x64xf16> -> tensor<4x64x64xf16>
      %d = nv_tileaa.dot %a, %all, %acc : tensor<4x32x64xf16>, tensor<4x64x64xf16> -> tensor<4x32x64xf32>
      scf.continue %d : tensor<4x32x64xf32>
    }
    scf.continue %next : tensor<4x32x64xf32>
  }
  %twice = arith.addf %sum, %sum : tensor<4x32x64xf32>
  nv_tileaa.return
}

// -----

// What is computed of the accumulator in the loop has the shape of the batch, and so has what the loop carries.
// CHECK-LABEL: @scaled
// CHECK: scf.for {{.*}} -> (tensor<2x64x32xf32>)
// CHECK: arith.mulf {{.*}} : tensor<2x64x32xf32>
// CHECK: %[[D:[a-z0-9]+]] = nv_tileaa.dot {{.*}} : tensor<128x16xbf16>, tensor<16x32xbf16> -> tensor<128x32xf32>
// CHECK: nv_tileaa.reshape %[[D]] : tensor<128x32xf32> -> tensor<2x64x32xf32>
nv_tileaa.func @scaled(%a0: bf16, %w0: bf16, %c0: f32, %n: i32) {
  %a = nv_tileaa.splat %a0 : bf16 -> tensor<2x64x16xbf16>
  %w = nv_tileaa.splat %w0 : bf16 -> tensor<1x16x32xbf16>
  %c = nv_tileaa.splat %c0 : f32 -> tensor<2x64x32xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %all = nv_tileaa.broadcast %w : tensor<1x16x32xbf16> -> tensor<2x16x32xbf16>
  %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<2x64x32xf32>) : i32 {
    %half = arith.mulf %acc, %c : tensor<2x64x32xf32>
    %d = nv_tileaa.dot %a, %all, %half : tensor<2x64x16xbf16>, tensor<2x16x32xbf16> -> tensor<2x64x32xf32>
    scf.continue %d : tensor<2x64x32xf32>
  }
  nv_tileaa.return
}

// -----

// Integers are multiplied as before: one operand has no sign.
// CHECK-LABEL: @integers
// CHECK: nv_tileaa.dot {{.*}} {unsigned_a} : tensor<64x32xi8>, tensor<32x16xi8> -> tensor<64x16xi32>
nv_tileaa.func @integers(%a0: i8, %w0: i8, %c0: i32) {
  %a = nv_tileaa.splat %a0 : i8 -> tensor<8x8x32xi8>
  %w = nv_tileaa.splat %w0 : i8 -> tensor<1x32x16xi8>
  %c = nv_tileaa.splat %c0 : i32 -> tensor<8x8x16xi32>
  %all = nv_tileaa.broadcast %w : tensor<1x32x16xi8> -> tensor<8x32x16xi8>
  %d = nv_tileaa.dot %a, %all, %c {unsigned_a} : tensor<8x8x32xi8>, tensor<8x32x16xi8> -> tensor<8x8x16xi32>
  nv_tileaa.return
}

// -----

// The left operand is the same for all: columns of several matrices are not in one.
// CHECK-LABEL: @unchanged_left
// CHECK: nv_tileaa.dot {{.*}} : tensor<4x16x32xf16>, tensor<4x32x64xf16> -> tensor<4x16x64xf32>
nv_tileaa.func @unchanged_left(%a0: f16, %b0: f16, %c0: f32) {
  %a = nv_tileaa.splat %a0 : f16 -> tensor<1x16x32xf16>
  %b = nv_tileaa.splat %b0 : f16 -> tensor<4x32x64xf16>
  %c = nv_tileaa.splat %c0 : f32 -> tensor<4x16x64xf32>
  %all = nv_tileaa.broadcast %a : tensor<1x16x32xf16> -> tensor<4x16x32xf16>
  %d = nv_tileaa.dot %all, %b, %c : tensor<4x16x32xf16>, tensor<4x32x64xf16> -> tensor<4x16x64xf32>
  nv_tileaa.return
}

// -----

// A row is repeated along K. The matrices differ.
// CHECK-LABEL: @unchanged_rows
// CHECK: nv_tileaa.dot {{.*}} : tensor<4x16x32xf16>, tensor<4x32x64xf16> -> tensor<4x16x64xf32>
nv_tileaa.func @unchanged_rows(%a0: f16, %b0: f16, %c0: f32) {
  %a = nv_tileaa.splat %a0 : f16 -> tensor<4x16x32xf16>
  %b = nv_tileaa.splat %b0 : f16 -> tensor<4x1x64xf16>
  %c = nv_tileaa.splat %c0 : f32 -> tensor<4x16x64xf32>
  %all = nv_tileaa.broadcast %b : tensor<4x1x64xf16> -> tensor<4x32x64xf16>
  %d = nv_tileaa.dot %a, %all, %c : tensor<4x16x32xf16>, tensor<4x32x64xf16> -> tensor<4x16x64xf32>
  nv_tileaa.return
}

// -----

// What a loop that breaks carries is not what it results in.
// CHECK-LABEL: @breaks
// CHECK: scf.loop iter_args({{.*}}) -> (i32) : i32, tensor<4x32x64xf32>
// CHECK: nv_tileaa.dot {{.*}} : tensor<128x64xf16>, tensor<64x64xf16> -> tensor<128x64xf32>
// CHECK: scf.continue {{.*}} : i32, tensor<4x32x64xf32>
nv_tileaa.func @breaks(%a0: f16, %w0: f16, %n: i32) {
  %a = nv_tileaa.splat %a0 : f16 -> tensor<4x32x64xf16>
  %w = nv_tileaa.splat %w0 : f16 -> tensor<1x64x64xf16>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<4x32x64xf32>
  %r = scf.loop iter_args(%i = %zero, %acc = %none) -> (i32) : i32, tensor<4x32x64xf32> {
    %all = nv_tileaa.broadcast %w : tensor<1x64x64xf16> -> tensor<4x64x64xf16>
    %d = nv_tileaa.dot %a, %all, %acc : tensor<4x32x64xf16>, tensor<4x64x64xf16> -> tensor<4x32x64xf32>
    %next = arith.addi %i, %one : i32
    %done = arith.cmpi sge, %next, %n : i32
    scf.if %done {
      scf.break %next : i32
    }
    scf.continue %next, %d : i32, tensor<4x32x64xf32>
  }
  nv_tileaa.return
}
