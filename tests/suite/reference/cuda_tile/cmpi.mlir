// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i32: [-7, 0, 1, 100]> : tile<4xi32>
  %y = constant <i32: [3, 2, -1, 8]> : tile<4xi32>
  %r = cmpi less_than %x, %y, signed : tile<4xi32> -> tile<4xi1>
  %s = cmpi greater_than_or_equal %x, %y, unsigned : tile<4xi32> -> tile<4xi1>
  return
}
