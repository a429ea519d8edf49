// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: 0.0> : tile<2x4x8xf32>
  %r = permute %x [2, 0, 1] : tile<2x4x8xf32> -> tile<8x2x4xf32>
  return
}
