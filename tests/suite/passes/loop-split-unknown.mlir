// RUN: tile-opt %s --allow-unregistered-dialect --loop-split | FileCheck %s

// A branch that ends with an unknown operation says neither what the if results in nor where control goes: the if stays, with a constant.
// CHECK-LABEL: entry @unknown
// CHECK: for
// CHECK-NEXT: %[[T:.*]] = constant <i1: true>
// CHECK-NEXT: %{{.*}} = if %[[T]]
// CHECK-NEXT: "unknown.end"
// CHECK: for
// CHECK-NEXT: %[[F:.*]] = constant <i1: false>
// CHECK-NEXT: %{{.*}} = if %[[F]]
// CHECK-NEXT: "unknown.end"
entry @unknown(%p: tile<ptr<i32>>, %n: tile<i32>, %s: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %r = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%a = %n) -> (tile<i32>) {
    %k = cmpi less_than %i, %s, signed : tile<i32> -> tile<i1>
    %v = if %k -> (tile<i32>) {
      "unknown.end"(%i) : (!cuda_tile.tile<i32>) -> ()
    } else {
      yield %i : tile<i32>
    }
    continue %v : tile<i32>
  }
  %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}
