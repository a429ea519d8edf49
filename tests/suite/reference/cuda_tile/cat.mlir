// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <i32: [1, 2]> : tile<2xi32>
  %y = constant <i32: [3, 4]> : tile<2xi32>
  %r = cat %x, %y dim = 0 : tile<2xi32>, tile<2xi32> -> tile<4xi32>
  return
}
