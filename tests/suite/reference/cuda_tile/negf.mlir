// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: [-1.5, 0.0, 2.25, 4.0]> : tile<4xf32>
  %r = negf %x : tile<4xf32>
  return
}
