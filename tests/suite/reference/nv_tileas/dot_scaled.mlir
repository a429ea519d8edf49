// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: f8E4M3FN, %y: f32, %s: f8E8M0FNU) {
  // One scale for 32 elements along K.
  %a = nv_tileas.splat %x : f8E4M3FN -> tensor<16x64xf8E4M3FN>
  %b = nv_tileas.splat %x : f8E4M3FN -> tensor<64x8xf8E4M3FN>
  %c = nv_tileas.splat %y : f32 -> tensor<16x8xf32>
  %as = nv_tileas.splat %s : f8E8M0FNU -> tensor<16x2xf8E8M0FNU>
  %bs = nv_tileas.splat %s : f8E8M0FNU -> tensor<2x8xf8E8M0FNU>
  %d = nv_tileas.dot_scaled %a, %b, %c, %as, %bs : tensor<16x64xf8E4M3FN>, tensor<64x8xf8E4M3FN>, tensor<16x2xf8E8M0FNU>, tensor<2x8xf8E8M0FNU> -> tensor<16x8xf32>
  nv_tileas.return
}
