// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: 0.0> : tile<8x16xf32>
  %part = constant <f32: 1.0> : tile<4x8xf32>
  %one = constant <i32: 1> : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  // Rows 4 to 7, columns 0 to 7 become ones.
  %r = insert %part, %x[%one, %zero] : tile<4x8xf32>, tile<8x16xf32>
  return
}
