// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: [-1.5, 0.0, 2.25, 4.0]> : tile<4xf32>
  %e = constant <i8: 3> : tile<4xi8>
  %r = fpowi %x, %e : tile<4xf32>, tile<4xi8>
  return
}
