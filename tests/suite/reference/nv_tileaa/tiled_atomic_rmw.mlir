// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>, %n: i64, %i: i64, %x: f32) {
  %a = nv_tileaa.splat %x : f32 -> tensor<8xf32>
  %one = arith.constant 1 : i64
  %t = nv_tileaa.tiled_atomic_rmw %a, %p[%i] sizes [%n] strides [%one] {mode = "addf", bounds = array<i1: false>, ordering = "relaxed", scope = "device"} : tensor<8xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
