// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
  %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  %y, %u = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
  // The store comes after both loads.
  %both = join_tokens %t, %u : token
  %v = store_ptr_tko weak %p, %y token=%both : tile<ptr<f32>>, tile<f32> -> token
  return
}
