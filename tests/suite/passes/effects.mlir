// RUN: tile-opt %s --canonicalize --cse | FileCheck %s

// A store through an address that is computed in the same region is not private to it.
// CHECK: if %{{.*}} {
// CHECK: store_ptr_tko
entry @k(%p: tile<ptr<i32>>, %c: tile<i1>) {
  %v = constant <i32: 1> : tile<i32>
  if %c {
    %n = constant <i32: 1> : tile<i32>
    %q = offset %p, %n : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t = store_ptr_tko weak %q, %v : tile<ptr<i32>>, tile<i32> -> token
  }
  return
}
