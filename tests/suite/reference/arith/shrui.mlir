// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %x = arith.constant dense<[-7, 0, 1, 100]> : tensor<4xi32>
  %n = arith.constant dense<3> : tensor<4xi32>
  %r = arith.shrui %x, %n : tensor<4xi32>
  nv_tileaa.return
}
