// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i32: [-7, 0, 1, 100]> : tile<4xi32>
  %y = constant <i32: [3, 2, -1, 8]> : tile<4xi32>
  %r = mini %x, %y signed : tile<4xi32>
  %s = mini %x, %y unsigned : tile<4xi32>
  return
}
