// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example() {
  %a = nv_tileaa.make_range : tensor<4xi32>
  %b = nv_tileaa.pack %a : tensor<4xi32> -> tensor<16xi8>
  nv_tileaa.return
}
