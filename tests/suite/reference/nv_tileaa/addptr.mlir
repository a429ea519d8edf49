// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>) {
  // The addresses of p[0] to p[7].
  %same = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<8x!nv_tileaa.ptr<f32>>
  %i = nv_tileaa.make_range : tensor<8xi32>
  %q = nv_tileaa.addptr %same, %i : tensor<8x!nv_tileaa.ptr<f32>>, tensor<8xi32>
  nv_tileaa.return
}
