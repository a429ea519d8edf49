// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: [-1.5, 0.0, 2.25, 4.0]> : tile<4xf32>
  %y = constant <f32: [3.0, 0.5, -2.0, 4.0]> : tile<4xf32>
  %r = remf %x, %y : tile<4xf32>
  return
}
