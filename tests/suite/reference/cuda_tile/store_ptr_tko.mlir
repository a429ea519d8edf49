// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %n: tile<i32>) {
  // p[0] to p[7], but nothing from p[n] on.
  %i = iota : tile<8xi32>
  %base = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
  %same = broadcast %base : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %ptrs = offset %same, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
  %limit = reshape %n : tile<i32> -> tile<1xi32>
  %limits = broadcast %limit : tile<1xi32> -> tile<8xi32>
  %mask = cmpi less_than %i, %limits, signed : tile<8xi32> -> tile<8xi1>
  %one = constant <f32: 1.0> : tile<8xf32>
  %t = store_ptr_tko weak %ptrs, %one, %mask : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> token
  %x = constant <f32: 2.0> : tile<f32>
  %u = store_ptr_tko release sys %p, %x token=%t : tile<ptr<f32>>, tile<f32> -> token
  return
}
