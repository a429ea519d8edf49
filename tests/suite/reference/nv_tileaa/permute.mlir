// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: f32) {
  %a = nv_tileaa.splat %x : f32 -> tensor<2x4x8xf32>
  %b = nv_tileaa.permute %a [2, 0, 1] : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  nv_tileaa.return
}
