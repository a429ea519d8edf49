// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<f32>>) {
  %x = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>
  return
}
