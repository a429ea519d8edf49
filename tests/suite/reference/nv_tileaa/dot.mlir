// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: f16, %y: f32) {
  %a = nv_tileaa.splat %x : f16 -> tensor<16x32xf16>
  %b = nv_tileaa.splat %x : f16 -> tensor<32x8xf16>
  %c = nv_tileaa.splat %y : f32 -> tensor<16x8xf32>
  %d = nv_tileaa.dot %a, %b, %c : tensor<16x32xf16>, tensor<32x8xf16> -> tensor<16x8xf32>
  nv_tileaa.return
}
