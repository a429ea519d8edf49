// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: f32) {
  %a = nv_tileaa.splat %x : f32 -> tensor<8x16xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // Rows 4 to 7, columns 0 to 7: part (1, 0) of the parts of 4x8.
  %b = nv_tileaa.extract %a[%one, %zero] : tensor<8x16xf32>, i32, i32 -> tensor<4x8xf32>
  nv_tileaa.return
}
