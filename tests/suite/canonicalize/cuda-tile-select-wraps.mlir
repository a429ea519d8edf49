// RUN: tile-opt %s --canonicalize --allow-unregistered-dialect | FileCheck %s

// Numbers of 64 bits whose sum wraps to 1 are not 1 and 0.
cuda_tile.module @wraps {
  // CHECK-LABEL: @wraps
  // CHECK-NOT: exti
  // CHECK-COUNT-2: select
  // CHECK: exti
  entry @wraps(%c: tile<i1>) {
    %m1 = constant <i64: -1> : tile<i64>
    %two = constant <i64: 2> : tile<i64>
    %one = constant <i64: 1> : tile<i64>
    %zero = constant <i64: 0> : tile<i64>
    %0 = select %c, %m1, %two : tile<i1>, tile<i64>
    %1 = select %c, %two, %m1 : tile<i1>, tile<i64>
    %2 = select %c, %one, %zero : tile<i1>, tile<i64>
    "t.use"(%0, %1, %2) : (!cuda_tile.tile<i64>, !cuda_tile.tile<i64>, !cuda_tile.tile<i64>) -> ()
    return
  }
}
