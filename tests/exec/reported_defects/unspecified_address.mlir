// RUN: not tile-run --entry=k --grid=1 --arg=i32[1]=1 --arg=i32[1]=2 %s 2>&1 | FileCheck %s

// An unspecified value may be stored, but may not decide where something is stored.

// CHECK: unspecified

cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %no = constant <i1: false> : tile<i1>
    %v, %t = load_ptr_tko weak %x, %no : tile<ptr<i32>>, tile<i1> -> tile<i32>, token
    %p = offset %y, %v : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %s = store_ptr_tko weak %p, %v : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
