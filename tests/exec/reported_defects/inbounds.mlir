// RUN: tile-run --diff-engines=interp,ptx --entry=k --grid=1 --arg=f32[4]=1,2,3,4 --arg=f32[4]=9,9,9,9 --out=1=%t.npy %s
// RUN: print-npy %t.npy | FileCheck --match-full-lines %s
// RUN: not tile-run --strict --entry=k --grid=1 --arg=f32[4]=1,2,3,4 --arg=f32[4]=9,9,9,9 %s 2>&1 | FileCheck --check-prefix=STRICT %s
// RUN: not tile-run --engine=interp --entry=k --grid=1 --arg=f32[3]=1,2,3 --arg=f32[4]=9,9,9,9 %s 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not tile-run --engine=ptx --entry=k --grid=1 --arg=f32[3]=1,2,3 --arg=f32[4]=9,9,9,9 %s 2>&1 | FileCheck --check-prefix=OUTSIDE %s

// A tile that is marked in bounds and is not reads what is there. Nothing being there is an error.

// CHECK: 1 2 3 4
// STRICT: is marked in bounds along dimension 0, but its tile ends at 4 of 3
// OUTSIDE: {{is 12 bytes after the start of argument 0|global read of 4 bytes is out of bounds}}

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tv = make_tensor_view %p, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>
    %v, %t = load_view_tko weak %pv[%zero] inbounds = [true] : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %tw = make_tensor_view %q, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %pw = make_partition_view %tw : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %s = store_view_tko weak %v, %pw[%zero] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
