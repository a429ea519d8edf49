// RUN: tile-opt %s --verify-roundtrip

entry @example(%p: tile<ptr<i32>>) {
  %one = constant <i32: 1> : tile<i32>
  %old, %t = atomic_rmw_tko relaxed device %p, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  %c = constant <i1: true> : tile<i1>
  %older, %u = atomic_rmw_tko acq_rel sys %p, umax, %old, %c token=%t : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
  return
}
