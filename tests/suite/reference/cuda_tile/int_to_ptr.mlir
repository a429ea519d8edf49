// RUN: tile-opt %s --verify-roundtrip

entry @example(%x: tile<i64>) {
  %p = int_to_ptr %x : tile<i64> -> tile<ptr<f32>>
  return
}
