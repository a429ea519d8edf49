// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: f32) {
  %s = nv_tileaa.splat %x : f32 -> tensor<1xf32>
  %y = nv_tileaa.unsplat %s : tensor<1xf32> -> f32
  nv_tileaa.return
}
