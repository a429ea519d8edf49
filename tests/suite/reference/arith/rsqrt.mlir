// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %x = arith.constant dense<[0.5, 1.0, 2.25, 4.0]> : tensor<4xf32>
  %r = arith.rsqrt %x : tensor<4xf32>
  %s = arith.rsqrt %x ftz : tensor<4xf32>
  nv_tileaa.return
}
