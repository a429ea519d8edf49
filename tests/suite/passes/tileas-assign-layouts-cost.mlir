// RUN: tile-opt %s --split-input-file --tileas-assign-layouts --mlir-print-local-scope | FileCheck %s
// RUN: tile-opt %s --split-input-file --tileas-assign-layouts --tileas-assign-layouts --mlir-print-local-scope | FileCheck %s

// What costs decide, and that a second run, on what the first one made, changes nothing.

// A tile that is read along rows and written along columns is converted once, between two accesses that are both coalesced.
// CHECK-LABEL: nv_tileas.func @transpose
// CHECK: nv_tileas.tiled_load {{.*}} -> tensor<32x32xf32, #nv_tileas.layout<"[[ROWS:.*]]">>
// CHECK-COUNT-1: nv_tileas.convert_layout
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.tiled_store {{.*}} tensor<32x32xf32, #nv_tileas.layout<"[[ROWS]]">>
nv_tileas.func @transpose(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<32x32xf32>
  %b = nv_tileas.permute %a [1, 0] : tensor<32x32xf32> -> tensor<32x32xf32>
  %u = nv_tileas.tiled_store %b, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A product is stored by fragments when there is little of it: a trip through shared memory and its barriers would cost more than the lines that rows of a fragment touch.
// CHECK-LABEL: nv_tileas.func @little
// CHECK: nv_tileas.dot
// CHECK-NOT: convert_layout
// CHECK: nv_tileas.tiled_store
nv_tileas.func @little(%q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<32x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x32xf16>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %b, %c : tensor<32x16xf16>, tensor<16x32xf16> -> tensor<32x32xf32>
  %u = nv_tileas.tiled_store %d, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 32, 32>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : tensor<32x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// A large one goes through shared memory, and is stored by whole lines.
// CHECK-LABEL: nv_tileas.func @large
// CHECK: nv_tileas.dot
// CHECK: %[[C:.*]] = nv_tileas.convert_layout
// CHECK: nv_tileas.tiled_store %[[C]]
nv_tileas.func @large(%q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<128x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x128xf16>
  %c = arith.constant dense<0.0> : tensor<128x128xf32>
  %d = nv_tileas.dot %a, %b, %c : tensor<128x16xf16>, tensor<16x128xf16> -> tensor<128x128xf32>
  %u = nv_tileas.tiled_store %d, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 128, 128>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : tensor<128x128xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// -----

// What the IR came with stays: here an instruction and an arrangement of warps that the pass would not have chosen.
// CHECK-LABEL: nv_tileas.func @given
// CHECK: nv_tileas.dot {{.*}}{mma = #nv_tileas.mma<mma.sync, m16n8k8, warps = [4, 1]>} {{.*}} -> tensor<64x8xf32, #nv_tileas.layout<"[[ACC:.*]]">>
// CHECK: arith.addf {{.*}} : tensor<64x8xf32, #nv_tileas.layout<"[[ACC]]">>
nv_tileas.func @given(%q: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<64x16xf16>
  %b = arith.constant dense<1.0> : tensor<16x8xf16>
  %c = arith.constant dense<0.0> : tensor<64x8xf32>
  %d = nv_tileas.dot %a, %b, %c {mma = #nv_tileas.mma<mma.sync, m16n8k8, warps = [4, 1]>} : tensor<64x16xf16>, tensor<16x8xf16> -> tensor<64x8xf32>
  %e = arith.addf %d, %d : tensor<64x8xf32>
  %u = nv_tileas.tiled_store %e, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x8xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
