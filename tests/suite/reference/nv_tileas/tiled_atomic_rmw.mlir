// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %n: i64, %i: i64, %x: f32) {
  %a = nv_tileas.splat %x : f32 -> tensor<8xf32>
  %one = arith.constant 1 : i64
  %t = nv_tileas.tiled_atomic_rmw %a, %p[%i] sizes [%n] strides [%one] {mode = "addf", bounds = array<i1: false>, ordering = "relaxed", scope = "device"} : tensor<8xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
