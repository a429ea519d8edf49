// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i32: [-7, 0, 1, 100]> : tile<4xi32>
  %y = constant <i32: [3, 2, -1, 8]> : tile<4xi32>
  %r = divi %x, %y signed : tile<4xi32>
  %s = divi %x, %y signed rounding<negative_inf> : tile<4xi32>
  %t = divi %x, %y unsigned rounding<positive_inf> : tile<4xi32>
  return
}
