// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: [0.5, 1.0, 2.25, 4.0]> : tile<4xf32>
  %e = constant <f32: 0.5> : tile<4xf32>
  %r = fpowf %x, %e : tile<4xf32>
  return
}
