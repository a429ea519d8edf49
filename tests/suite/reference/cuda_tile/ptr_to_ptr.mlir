// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>) {
  %q = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i8>>
  return
}
