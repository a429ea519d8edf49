// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: f32, %p: !nv_tileas.ptr<f32>) {
  %s = nv_tileas.splat %x : f32 -> tensor<4x8xf32>
  %q = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<8x!nv_tileas.ptr<f32>>
  nv_tileas.return
}
