// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %scalar = constant <i32: 7> : tile<i32>
  %splat = constant <f16: 1.0> : tile<4x8xf16>
  %each = constant <i8: [[1, 2], [3, -4]]> : tile<2x2xi8>
  %bools = constant <i1: [true, false]> : tile<2xi1>
  %bits = constant <f32: 0x7FC00000> : tile<f32>
  return
}
