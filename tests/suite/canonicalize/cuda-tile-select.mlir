// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

cuda_tile.module @selects {
  // CHECK-LABEL: @folds
  // CHECK-SAME: (%[[C:.*]]: tile<i1>, %[[X:.*]]: tile<i32>, %[[Y:.*]]: tile<i32>)
  // CHECK-DAG: %[[MIXED:.*]] = constant <i32: [1, 20, 3, 40]> : tile<4xi32>
  // CHECK: "t.use"(%[[X]], %[[X]], %[[Y]], %[[C]], %[[Y]], %[[X]], %[[MIXED]])
  entry @folds(%c: tile<i1>, %x: tile<i32>, %y: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %0 = select %c, %x, %x : tile<i1>, tile<i32>
    %1 = select %true, %x, %y : tile<i1>, tile<i32>
    %2 = select %false, %x, %y : tile<i1>, tile<i32>
    %3 = select %c, %true, %false : tile<i1>, tile<i1>
    %eq = cmpi equal %y, %x, unsigned : tile<i32> -> tile<i1>
    %4 = select %eq, %x, %y : tile<i1>, tile<i32>
    %ne = cmpi not_equal %x, %y, signed : tile<i32> -> tile<i1>
    %5 = select %ne, %x, %y : tile<i1>, tile<i32>
    %m = constant <i1: [true, false, true, false]> : tile<4xi1>
    %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
    %b = constant <i32: [10, 20, 30, 40]> : tile<4xi32>
    %6 = select %m, %a, %b : tile<4xi1>, tile<4xi32>
    "t.use"(%0, %1, %2, %3, %4, %5, %6) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i1>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<4xi32>) -> ()
    return
  }

  // What differs stays: a comparison of other values or with another predicate.
  // CHECK-LABEL: @stays
  // CHECK-COUNT-3: select
  entry @stays(%c: tile<i1>, %x: tile<i32>, %y: tile<i32>, %z: tile<i32>) {
    %eq = cmpi equal %x, %y, signed : tile<i32> -> tile<i1>
    %0 = select %eq, %x, %z : tile<i1>, tile<i32>
    %le = cmpi less_than_or_equal %x, %y, signed : tile<i32> -> tile<i1>
    %1 = select %le, %x, %y : tile<i1>, tile<i32>
    %d = cmpi equal %x, %z, signed : tile<i32> -> tile<i1>
    %inner = select %d, %x, %y : tile<i1>, tile<i32>
    "t.use"(%0, %1, %inner) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    return
  }

  // CHECK-LABEL: @chains
  // CHECK-SAME: (%[[C:.*]]: tile<i1>, %[[X:.*]]: tile<i32>, %[[Y:.*]]: tile<i32>, %[[Z:.*]]: tile<i32>)
  // CHECK-NEXT: %[[A:.*]] = select %[[C]], %[[X]], %[[Z]]
  // CHECK-NEXT: %[[B:.*]] = select %[[C]], %[[Z]], %[[Y]]
  // CHECK-NEXT: %[[D:.*]] = select %[[C]], %[[Y]], %[[X]]
  // CHECK-NEXT: "t.use"(%[[A]], %[[B]], %[[D]])
  entry @chains(%c: tile<i1>, %x: tile<i32>, %y: tile<i32>, %z: tile<i32>) {
    %s = select %c, %x, %y : tile<i1>, tile<i32>
    %0 = select %c, %s, %z : tile<i1>, tile<i32>
    %1 = select %c, %z, %s : tile<i1>, tile<i32>
    %true = constant <i1: true> : tile<i1>
    %not = xori %true, %c : tile<i1>
    %2 = select %not, %x, %y : tile<i1>, tile<i32>
    "t.use"(%0, %1, %2) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    return
  }

  // The truth values in the other order are the negation, the numbers one and zero an extension of the condition.
  // CHECK-LABEL: @truth
  // CHECK-SAME: (%[[C:.*]]: tile<i1>)
  // CHECK-DAG: %[[TRUE:.*]] = constant <i1: true> : tile<i1>
  // CHECK: %[[NOT:.*]] = xori %[[C]], %[[TRUE]] : tile<i1>
  // CHECK: %[[ONE:.*]] = exti %[[C]] unsigned : tile<i1> -> tile<i32>
  // CHECK: %[[NOT2:.*]] = xori %[[C]], %[[TRUE]] : tile<i1>
  // CHECK: %[[ZERO:.*]] = exti %[[NOT2]] unsigned : tile<i1> -> tile<i64>
  // CHECK: %[[FLOAT:.*]] = select %[[C]]
  // CHECK: "t.use"(%[[NOT]], %[[ONE]], %[[ZERO]], %[[FLOAT]])
  entry @truth(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %0 = select %c, %false, %true : tile<i1>, tile<i1>
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %1 = select %c, %one, %zero : tile<i1>, tile<i32>
    %one64 = constant <i64: 1> : tile<i64>
    %zero64 = constant <i64: 0> : tile<i64>
    %2 = select %c, %zero64, %one64 : tile<i1>, tile<i64>
    %one_f = constant <f32: 1.0> : tile<f32>
    %zero_f = constant <f32: 0.0> : tile<f32>
    %3 = select %c, %one_f, %zero_f : tile<i1>, tile<f32>
    "t.use"(%0, %1, %2, %3) : (!cuda_tile.tile<i1>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>, !cuda_tile.tile<f32>) -> ()
    return
  }

  // CHECK-LABEL: @truth_of_tiles
  // CHECK-SAME: (%[[C:.*]]: tile<i1>)
  // CHECK: %[[TRUE:.*]] = constant <i1: true> : tile<4xi1>
  // CHECK: %[[B:.*]] = broadcast
  // CHECK-NEXT: %[[NOT:.*]] = xori %[[B]], %[[TRUE]] : tile<4xi1>
  // CHECK-NEXT: exti %[[NOT]] unsigned : tile<4xi1> -> tile<4xi8>
  entry @truth_of_tiles(%c: tile<i1>) {
    %r = reshape %c : tile<i1> -> tile<1xi1>
    %b = broadcast %r : tile<1xi1> -> tile<4xi1>
    %one = constant <i8: 1> : tile<4xi8>
    %zero = constant <i8: 0> : tile<4xi8>
    %0 = select %b, %zero, %one : tile<4xi1>, tile<4xi8>
    "t.use"(%0) : (!cuda_tile.tile<4xi8>) -> ()
    return
  }
}
