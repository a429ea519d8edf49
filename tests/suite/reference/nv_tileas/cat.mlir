// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: i32, %y: i32) {
  %a = nv_tileas.splat %x : i32 -> tensor<2x4xi32>
  %b = nv_tileas.splat %y : i32 -> tensor<2x4xi32>
  %c = nv_tileas.cat %a, %b dim 1 : tensor<2x4xi32>, tensor<2x4xi32> -> tensor<2x8xi32>
  nv_tileas.return
}
