// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>) {
  %i = iota : tile<8xi32>
  %base = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
  %same = broadcast %base : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %ptrs = offset %same, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
  return
}
