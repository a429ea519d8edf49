// RUN: tile-run --diff-engines=interp,ptx --entry=k --grid=1 --arg=i32[4]=7,7,7,7 --arg=i32[4] --out=1=%t.npy %s
// RUN: print-npy %t.npy | FileCheck --match-full-lines %s
// RUN: tile-run --strict --entry=k --grid=1 --arg=i32[4]=7,7,7,7 --arg=i32[4] %s

// Elements that a mask leaves out return what memory would have been compared with.

// CHECK: 7 7 -1 -1

cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %i = iota : tile<4xi32>
    %ps = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pb = broadcast %ps : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %pp = offset %pb, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %os = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ob = broadcast %os : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %op = offset %ob, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %c = constant <i32: -1> : tile<4xi32>
    %v = constant <i32: 1> : tile<4xi32>
    %m = constant <i1: [true, true, false, false]> : tile<4xi1>
    %old, %t = atomic_cas_tko relaxed device %pp, %c, %v, %m : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> tile<4xi32>, token
    %s = store_ptr_tko weak %op, %old : tile<4xptr<i32>>, tile<4xi32> -> token
    return
  }
}
