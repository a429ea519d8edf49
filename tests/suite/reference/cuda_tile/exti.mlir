// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i8: [-1, 0, 1, 127]> : tile<4xi8>
  %r = exti %x signed : tile<4xi8> -> tile<4xi32>
  %s = exti %x unsigned : tile<4xi8> -> tile<4xi32>
  return
}
