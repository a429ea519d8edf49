// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: i32, %y: i32) {
  %a = nv_tileaa.splat %x : i32 -> tensor<2x4xi32>
  %b = nv_tileaa.splat %y : i32 -> tensor<2x4xi32>
  %c = nv_tileaa.cat %a, %b dim 1 : tensor<2x4xi32>, tensor<2x4xi32> -> tensor<2x8xi32>
  nv_tileaa.return
}
