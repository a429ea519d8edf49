// RUN: tile-run --diff-engines=interp,ptx --entry=k --grid=1 --arg=f32[4]=1,2,3,4 --arg=i32:0 --arg=f32[32] --out=2=%t.npy %s
// RUN: print-npy %t.npy | FileCheck --match-full-lines %s
// RUN: not tile-run --strict --entry=k --grid=1 --arg=f32[4]=1,2,3,4 --arg=i32:0 --arg=f32[32] %s 2>&1 | FileCheck --check-prefix=STRICT %s

// A dynamic stride of 0 repeats elements.

// CHECK:      1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2
// CHECK-NEXT: 3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4
// STRICT: stride 1 is 0, which is not positive

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %stride: tile<i32>, %q: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %tv = make_tensor_view %p, shape = [4, 8], strides = [1, %stride] : tile<i32> -> tensor_view<4x8xf32, strides=[1,?]>
    %pv = make_partition_view %tv : partition_view<tile=(4x8), tensor_view<4x8xf32, strides=[1,?]>>
    %v, %t = load_view_tko weak %pv[%zero, %zero] : partition_view<tile=(4x8), tensor_view<4x8xf32, strides=[1,?]>>, tile<i32> -> tile<4x8xf32>, token
    %tw = make_tensor_view %q, shape = [4, 8], strides = [8, 1] : tensor_view<4x8xf32, strides=[8,1]>
    %pw = make_partition_view %tw : partition_view<tile=(4x8), tensor_view<4x8xf32, strides=[8,1]>>
    %s = store_view_tko weak %v, %pw[%zero, %zero] : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<4x8xf32, strides=[8,1]>>, tile<i32> -> token
    return
  }
}
