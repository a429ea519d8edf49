// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: [[1.0, 2.0, 3.0, 4.0]]> : tile<1x4xf32>
  %r = broadcast %x : tile<1x4xf32> -> tile<8x4xf32>
  return
}
