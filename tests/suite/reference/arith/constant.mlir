// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %i = arith.constant -7 : i32
  %b = arith.constant true
  %f = arith.constant 1.5 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %t = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %s = arith.constant dense<0.0> : tensor<16x16xf16>
  nv_tileaa.return
}
