// RUN: tile-opt %s --verify-roundtrip

entry @example(%n: tile<i32>) {
  %x = constant <f32: 0.0> : tile<4x8xf32>
  %r = reshape %x : tile<4x8xf32> -> tile<2x16xf32>
  %s = reshape %n : tile<i32> -> tile<1x1xi32>
  return
}
