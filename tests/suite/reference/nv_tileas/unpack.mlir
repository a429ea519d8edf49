// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%x: i8) {
  %a = nv_tileas.splat %x : i8 -> tensor<8xi8>
  %b = nv_tileas.unpack %a : tensor<8xi8> -> tensor<2xf32>
  nv_tileas.return
}
