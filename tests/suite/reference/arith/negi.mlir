// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %x = arith.constant dense<[-7, 0, 1, 100]> : tensor<4xi32>
  %r = arith.negi %x : tensor<4xi32>
  %s = arith.negi %x overflow<no_signed_wrap> : tensor<4xi32>
  nv_tileaa.return
}
