// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<i32>>) {
  // Takes a lock: 1 where memory holds 0.
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %old, %t = atomic_cas_tko acquire device %p, %zero, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  return
}
