// RUN: tile-run --diff-engines=interp,ptx --entry=k --grid=1 --arg=f32[4]=0.25,-3,0,nan --arg=i1[4] --out=1=%t.npy %s
// RUN: print-npy %t.npy | FileCheck --match-full-lines %s
// RUN: tile-run --strict --entry=k --grid=1 --arg=f32[4]=0.25,-3,0,nan --arg=i1[4] %s

// A float that is not zero, NaN included, is true.

// CHECK: 1 1 0 1

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %out: tile<ptr<i1>>) {
    %i = iota : tile<4xi32>
    %ps = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %pb = broadcast %ps : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %pp = offset %pb, %i : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %os = reshape %out : tile<ptr<i1>> -> tile<1xptr<i1>>
    %ob = broadcast %os : tile<1xptr<i1>> -> tile<4xptr<i1>>
    %op = offset %ob, %i : tile<4xptr<i1>>, tile<4xi32> -> tile<4xptr<i1>>
    %v, %t = load_ptr_tko weak %pp : tile<4xptr<f32>> -> tile<4xf32>, token
    %b = ftoi %v unsigned : tile<4xf32> -> tile<4xi1>
    %s = store_ptr_tko weak %op, %b : tile<4xptr<i1>>, tile<4xi1> -> token
    return
  }
}
