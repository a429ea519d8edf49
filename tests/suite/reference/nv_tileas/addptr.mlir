// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>) {
  // The addresses of p[0] to p[7].
  %same = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<8x!nv_tileas.ptr<f32>>
  %i = nv_tileas.make_range : tensor<8xi32>
  %q = nv_tileas.addptr %same, %i : tensor<8x!nv_tileas.ptr<f32>>, tensor<8xi32>
  nv_tileas.return
}
