// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %n: tile<i32>) {
  // p[0] to p[7], with zeros from p[n] on.
  %i = iota : tile<8xi32>
  %base = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
  %same = broadcast %base : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %ptrs = offset %same, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
  %limit = reshape %n : tile<i32> -> tile<1xi32>
  %limits = broadcast %limit : tile<1xi32> -> tile<8xi32>
  %mask = cmpi less_than %i, %limits, signed : tile<8xi32> -> tile<8xi1>
  %zero = constant <f32: 0.0> : tile<8xf32>
  %x, %t = load_ptr_tko weak %ptrs, %mask, %zero : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> -> tile<8xf32>, token
  %y, %u = load_ptr_tko acquire device %p token=%t : tile<ptr<f32>> -> tile<f32>, token
  return
}
