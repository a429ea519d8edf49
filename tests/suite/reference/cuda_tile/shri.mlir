// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i32: [-7, 0, 1, 100]> : tile<4xi32>
  %n = constant <i32: 3> : tile<4xi32>
  %r = shri %x, %n signed : tile<4xi32>
  %s = shri %x, %n unsigned : tile<4xi32>
  return
}
