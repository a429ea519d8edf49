// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i32: [-7, 0, 1, 100]> : tile<4xi32>
  %y = constant <i32: [3, 2, -1, 8]> : tile<4xi32>
  %r = ori %x, %y : tile<4xi32>
  return
}
