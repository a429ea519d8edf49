// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i8: 0> : tile<8xi8>
  %r = unpack %x : tile<8xi8> -> tile<2xf32>
  return
}
