// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %x = arith.constant dense<[-1.5, 0.0, 2.25, 4.0]> : tensor<4xf32>
  %y = arith.constant dense<[3.0, 0.5, -2.0, 4.0]> : tensor<4xf32>
  %r = arith.atan2 %x, %y : tensor<4xf32>
  nv_tileaa.return
}
