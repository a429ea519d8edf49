// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %x = arith.constant dense<[-7, 0, 1, 100]> : tensor<4xi32>
  %y = arith.constant dense<[3, 2, -1, 8]> : tensor<4xi32>
  %r = arith.divsi %x, %y : tensor<4xi32>
  nv_tileaa.return
}
