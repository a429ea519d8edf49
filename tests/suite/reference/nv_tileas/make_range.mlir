// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example() {
  %a = nv_tileas.make_range : tensor<8xi32>
  nv_tileas.return
}
