// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: f32) {
  %a = nv_tileas.splat %x : f32 -> tensor<1x4xf32>
  %b = nv_tileas.broadcast %a : tensor<1x4xf32> -> tensor<8x4xf32>
  nv_tileas.return
}
