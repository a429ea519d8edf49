// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: i8) {
  %a = nv_tileaa.splat %x : i8 -> tensor<8xi8>
  %b = nv_tileaa.unpack %a : tensor<8xi8> -> tensor<2xf32>
  nv_tileaa.return
}
