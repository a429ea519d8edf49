// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>, %n: i64, %i: i64) {
  // Rows i to i+7 and columns 0 to 15 of n rows of 64 floats, with zeros behind the last row.
  %zero = arith.constant 0 : i64
  %width = arith.constant 64 : i64
  %one = arith.constant 1 : i64
  %x, %t = nv_tileaa.tiled_load %p[%i, %zero] sizes [%n, %width] strides [%width, %one] {padding = "zero", bounds = array<i1: false, true>} : !nv_tileaa.ptr<f32> -> tensor<8x16xf32>
  nv_tileaa.return
}
