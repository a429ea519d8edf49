// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %x = constant <f32: 0.0> : tile<8x16xf32>
  // Rows 4 to 7, columns 0 to 7: part (1, 0) of the parts of 4x8.
  %one = constant <i32: 1> : tile<i32>
  %zero = constant <i32: 0> : tile<i32>
  %r = extract %x[%one, %zero] : tile<8x16xf32> -> tile<4x8xf32>
  return
}
