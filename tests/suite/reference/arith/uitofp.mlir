// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %x = arith.constant dense<[-7, 0, 1, 100]> : tensor<4xi32>
  %r = arith.uitofp %x : tensor<4xi32> to tensor<4xf32>
  %s = arith.uitofp %x rounding<positive_inf> : tensor<4xi32> to tensor<4xf16>
  nv_tileaa.return
}
