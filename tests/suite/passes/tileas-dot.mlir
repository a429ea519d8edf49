// RUN: tile-opt %s --tileas-legalize-dot --tileas-assign-layouts --gpu-name=sm_80 | FileCheck %s --check-prefixes=CHECK,AMPERE
// RUN: tile-opt %s --tileas-legalize-dot --tileas-assign-layouts --gpu-name=sm_90 | FileCheck %s --check-prefixes=CHECK,HOPPER

// The instruction is chosen by what the target has.
// CHECK-LABEL: nv_tileas.func @integers
// CHECK: nv_tileas.dot {{.*}}unsigned_rhs{{.*}}mma = #nv_tileas.mma<mma.sync, m16n8k32, warps = [{{.*}}]>
nv_tileas.func @integers(%p: !nv_tileas.ptr<i32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1> : tensor<32x32xi8>
  %c = arith.constant dense<0> : tensor<32x32xi32>
  %d = nv_tileas.dot %a, %a, %c {unsigned_rhs} : tensor<32x32xi8>, tensor<32x32xi8> -> tensor<32x32xi32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}

// CHECK-LABEL: nv_tileas.func @doubles
// AMPERE: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<mma.sync, m8n8k4, warps = [{{.*}}]>
// HOPPER: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [{{.*}}]>
nv_tileas.func @doubles(%p: !nv_tileas.ptr<f64>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<16x16xf64>
  %d = nv_tileas.dot %a, %a, %a : tensor<16x16xf64>, tensor<16x16xf64> -> tensor<16x16xf64>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<16x16xf64>, !nv_tileas.ptr<f64>
  nv_tileas.return
}

// 8-bit floats are f16 where there is no instruction for them.
// CHECK-LABEL: nv_tileas.func @bytes
// AMPERE-COUNT-2: arith.ftof {{.*}} to tensor<32x32xf16
// AMPERE: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [{{.*}}]>
// HOPPER-NOT: arith.ftof
// HOPPER: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<mma.sync, m16n8k32, warps = [{{.*}}]>
nv_tileas.func @bytes(%q: !nv_tileas.ptr<f8E4M3FN>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<32x32xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %a, %c : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// There is no instruction for f32, nor for a K of 4: threads compute their own elements.
// CHECK-LABEL: nv_tileas.func @alone
// CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<fma, m1n1k1, warps = [{{.*}}]>
// CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<fma, m1n1k1, warps = [{{.*}}]>
nv_tileas.func @alone(%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = arith.constant dense<1.0> : tensor<16x16xf32>
  %h = arith.constant dense<1.0> : tensor<16x4xf16>
  %k = arith.constant dense<1.0> : tensor<4x16xf16>
  %d = nv_tileas.dot %a, %a, %a : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %e = nv_tileas.dot %h, %k, %d : tensor<16x4xf16>, tensor<4x16xf16> -> tensor<16x16xf32>
  %t = nv_tileas.tiled_store %e, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<16x16xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Blocks of K are multiplied without their scales, in f16 where the target multiplies no bytes; their sums are scaled in two steps, the second one of which adds them up.
// CHECK-LABEL: nv_tileas.func @scaled
// AMPERE: arith.ftof {{.*}} to tensor<32x64xf16
// HOPPER-NOT: arith.ftof
// CHECK: nv_tileas.extract
// AMPERE: [[P:%.*]] = nv_tileas.dot {{.*}}mma = #nv_tileas.mma<mma.sync, m16n8k16, warps = [{{.*}}]>
// HOPPER: [[P:%.*]] = nv_tileas.dot {{.*}}mma = #nv_tileas.mma<mma.sync, m16n8k32, warps = [{{.*}}]>
// CHECK: nv_tileas.broadcast {{.*}} : tensor<32x1xi32{{.*}} -> tensor<32x32xi32
// CHECK: nv_tileas.broadcast {{.*}} : tensor<1x32xi32{{.*}} -> tensor<32x32xi32
// CHECK: [[S:%.*]] = arith.mulf {{.*}} : tensor<32x32xf32
// CHECK: [[Q:%.*]] = arith.mulf [[P]], [[S]] : tensor<32x32xf32
// CHECK: arith.fma [[Q]], {{.*}} : tensor<32x32xf32
// CHECK: nv_tileas.dot
// CHECK: arith.fma
// CHECK-NOT: nv_tileas.dot
nv_tileas.func @scaled(%q: !nv_tileas.ptr<f8E4M3FN>, %r: !nv_tileas.ptr<f8E8M0FNU>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<32x64xf8E4M3FN>
  %b, %y = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<64x32xf8E4M3FN>
  %s, %v = nv_tileas.tiled_load %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E8M0FNU> -> tensor<32x2xf8E8M0FNU>
  %w, %x = nv_tileas.tiled_load %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E8M0FNU> -> tensor<2x32xf8E8M0FNU>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot_scaled %a, %b, %c, %s, %w : tensor<32x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>, tensor<32x2xf8E8M0FNU>, tensor<2x32xf8E8M0FNU> -> tensor<32x32xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
