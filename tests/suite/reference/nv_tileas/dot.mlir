// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: f16, %y: f32) {
  %a = nv_tileas.splat %x : f16 -> tensor<16x32xf16>
  %b = nv_tileas.splat %x : f16 -> tensor<32x8xf16>
  %c = nv_tileas.splat %y : f32 -> tensor<16x8xf32>
  %d = nv_tileas.dot %a, %b, %c : tensor<16x32xf16>, tensor<32x8xf16> -> tensor<16x8xf32>
  nv_tileas.return
}
