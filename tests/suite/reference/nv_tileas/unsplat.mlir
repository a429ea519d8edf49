// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: f32) {
  %s = nv_tileas.splat %x : f32 -> tensor<1xf32>
  %y = nv_tileas.unsplat %s : tensor<1xf32> -> f32
  nv_tileas.return
}
