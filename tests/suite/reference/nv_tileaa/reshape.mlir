// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %a = nv_tileaa.make_range : tensor<8xi32>
  %b = nv_tileaa.reshape %a : tensor<8xi32> -> tensor<2x4xi32>
  nv_tileaa.return
}
