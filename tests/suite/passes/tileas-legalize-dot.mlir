// RUN: tile-opt %s --tileas-legalize-dot --gpu-name=sm_80 | FileCheck %s
// RUN: tile-opt %s --tileas-legalize-dot --gpu-name=sm_90 | FileCheck %s --check-prefix=HOPPER

// 8-bit floats become f16 where no instruction multiplies them.
// CHECK-LABEL: nv_tileas.func @bytes
// CHECK-COUNT-2: arith.ftof {{.*}} : tensor<32x32xf8E4M3FN> to tensor<32x32xf16>
// CHECK: nv_tileas.dot {{.*}} : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
// HOPPER-LABEL: nv_tileas.func @bytes
// HOPPER-NOT: arith.ftof
// HOPPER: nv_tileas.dot {{.*}} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
nv_tileas.func @bytes(%q: !nv_tileas.ptr<f8E4M3FN>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<32x32xf8E4M3FN>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %a, %c : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Halves and integers are multiplied by every target as they are.
// CHECK-LABEL: nv_tileas.func @unchanged_halves
// HOPPER-LABEL: nv_tileas.func @unchanged_halves
// HOPPER: nv_tileas.dot {{.*}} : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
nv_tileas.func @unchanged_halves(%q: !nv_tileas.ptr<f16>, %p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<32x32xf16>
  %c = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = nv_tileas.dot %a, %a, %c : tensor<32x32xf16>, tensor<32x32xf16> -> tensor<32x32xf32>
  %t = nv_tileas.tiled_store %d, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
