// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %x: tile<f32>) {
  %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
  // The load sees the store although q is another address of the same memory.
  %u = memory_fence_alias_tko %t
  %y, %v = load_ptr_tko weak %q token=%u : tile<ptr<f32>> -> tile<f32>, token
  return
}
