// RUN: tile-opt %s --canonicalize=disable-folds=cuda_tile.addi,cuda_tile.muli --allow-unregistered-dialect | FileCheck %s
// RUN: tile-opt %s --canonicalize=disable-patterns=select-to-extension --allow-unregistered-dialect | FileCheck %s --check-prefix=PATTERN
// RUN: not tile-opt %s --canonicalize=disable-folds=cuda_tile.adi --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: there is no operation 'cuda_tile.adi' that is folded (did you mean 'cuda_tile.addi'

cuda_tile.module @options {
  // CHECK-LABEL: @k
  // CHECK: addi
  // CHECK: muli
  // CHECK-NOT: subi
  // CHECK-NOT: select
  // PATTERN-LABEL: @k
  // PATTERN-NOT: addi
  // PATTERN-NOT: muli
  // PATTERN: select
  entry @k(%c: tile<i1>) {
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %0 = addi %one, %one : tile<i32>
    %1 = muli %0, %one : tile<i32>
    %2 = subi %one, %one : tile<i32>
    %3 = select %c, %one, %zero : tile<i1>, tile<i32>
    "t.use"(%0, %1, %2, %3) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    return
  }
}
