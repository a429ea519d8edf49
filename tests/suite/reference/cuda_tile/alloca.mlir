// RUN: tile-opt %s --verify-roundtrip

entry @example() {
  %p = alloca num_elem = 64, alignment = 16 : tile<ptr<f32>>
  %x = constant <f32: 1.0> : tile<f32>
  %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
  return
}
