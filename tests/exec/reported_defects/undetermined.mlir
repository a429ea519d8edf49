// RUN: tile-run --diff-engines=interp,ptx --entry=k --grid=1 --arg=f32[3]=1,2,3 --arg=f32[4]=9,9,9,9 --out=1=%t.npy %s
// RUN: print-npy %t.npy | FileCheck --match-full-lines %s
// RUN: not tile-run --strict --entry=k --grid=1 --arg=f32[3]=1,2,3 --arg=f32[4]=9,9,9,9 %s 2>&1 | FileCheck --check-prefix=STRICT %s

// Elements that a view loads from inside of it are stored, whatever the others are.

// CHECK: 1 2 3 {{.*}}
// STRICT: stores an unspecified value

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tv = make_tensor_view %p, shape = [3], strides = [1] : tensor_view<3xf32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>
    %v, %t = load_view_tko weak %pv[%zero] : partition_view<tile=(4), tensor_view<3xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    %tw = make_tensor_view %q, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %pw = make_partition_view %tw : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %s = store_view_tko weak %v, %pw[%zero] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
