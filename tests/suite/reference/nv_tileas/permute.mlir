// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: f32) {
  %a = nv_tileas.splat %x : f32 -> tensor<2x4x8xf32>
  %b = nv_tileas.permute %a [2, 0, 1] : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
  nv_tileas.return
}
