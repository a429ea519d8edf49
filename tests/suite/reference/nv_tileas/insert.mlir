// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: f32, %y: f32) {
  %a = nv_tileas.splat %x : f32 -> tensor<8x16xf32>
  %b = nv_tileas.splat %y : f32 -> tensor<4x8xf32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // Rows 4 to 7, columns 0 to 7 become y.
  %c = nv_tileas.insert %b, %a[%one, %zero] : tensor<4x8xf32>, tensor<8x16xf32>, i32, i32
  nv_tileas.return
}
