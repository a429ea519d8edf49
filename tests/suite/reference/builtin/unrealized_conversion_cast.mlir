// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%x: i32) {
  %t = builtin.unrealized_conversion_cast %x : i32 to tensor<1xi32>
  %back = builtin.unrealized_conversion_cast %t : tensor<1xi32> to i32
  nv_tileaa.return
}
