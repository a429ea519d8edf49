// RUN: tile-opt %s --gpu-name=sm_120 --tileaa-partition-cluster --verify-diagnostics | FileCheck %s

// Where the target has no larger clusters, the tile block gets the largest, and a warning says so.
// expected-warning @+2 {{'most' asks for 16 CTAs for a tile block and gets 8: sm_120 has clusters of at most 8}}
// CHECK-LABEL: nv_tileaa.func @most({{.*}}num_ctas = 8
nv_tileaa.func @most(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 16>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = arith.constant dense<1.0> : tensor<64x64xf32>
  %v = nv_tileaa.tiled_store %x, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
