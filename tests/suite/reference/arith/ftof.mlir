// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %x = arith.constant dense<[-1.5, 0.0, 2.25, 4.0]> : tensor<4xf32>
  %r = arith.ftof %x : tensor<4xf32> to tensor<4xf16>
  %s = arith.ftof %x rounding<zero> : tensor<4xf32> to tensor<4xbf16>
  nv_tileaa.return
}
