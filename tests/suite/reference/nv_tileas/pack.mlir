// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example() {
  %a = nv_tileas.make_range : tensor<4xi32>
  %b = nv_tileas.pack %a : tensor<4xi32> -> tensor<16xi8>
  nv_tileas.return
}
