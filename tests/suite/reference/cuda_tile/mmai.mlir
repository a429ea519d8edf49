// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %a = constant <i8: -1> : tile<16x32xi8>
  %b = constant <i8: 2> : tile<32x8xi8>
  %c = constant <i32: 0> : tile<16x8xi32>
  %r = mmai %a, %b, %c signed unsigned : tile<16x32xi8>, tile<32x8xi8>, tile<16x8xi32>
  return
}
