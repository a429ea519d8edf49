// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: [-1.5, 0.0, 2.25, 4.0]> : tile<4xf32>
  %y = constant <f32: [3.0, 0.5, -2.0, 4.0]> : tile<4xf32>
  %r = divf %x, %y : tile<4xf32>
  %s = divf %x, %y rounding<approx> flush_to_zero : tile<4xf32>
  return
}
