// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: f32) {
  %a = nv_tileaa.splat %x : f32 -> tensor<1x4xf32>
  %b = nv_tileaa.broadcast %a : tensor<1x4xf32> -> tensor<8x4xf32>
  nv_tileaa.return
}
