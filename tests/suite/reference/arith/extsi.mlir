// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %x = arith.constant dense<[-7, 0, 1, 100]> : tensor<4xi32>
  %r = arith.extsi %x : tensor<4xi32> to tensor<4xi64>
  nv_tileaa.return
}
