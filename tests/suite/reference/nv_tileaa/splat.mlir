// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: f32, %p: !nv_tileaa.ptr<f32>) {
  %s = nv_tileaa.splat %x : f32 -> tensor<4x8xf32>
  %q = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<8x!nv_tileaa.ptr<f32>>
  nv_tileaa.return
}
