// RUN: tile-run --diff-engines=interp,ptx --entry=k --grid=1 --arg=f32[1] --out=0=%t.npy %s
// RUN: print-npy %t.npy | FileCheck --match-full-lines %s
// RUN: not tile-run --strict --entry=k --grid=1 --arg=f32[1] %s 2>&1 | FileCheck --check-prefix=STRICT %s

// An assumption that does not hold about the stride of a dimension of one element does no harm.

// CHECK: 5
// STRICT: element [] is 1, which is not divisible by 4

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %s = assume div_by<4>, %one : tile<i32>
    %tv = make_tensor_view %p, shape = [1], strides = [%s] : tile<i32> -> tensor_view<1xf32, strides=[?]>
    %pv = make_partition_view %tv : partition_view<tile=(1), tensor_view<1xf32, strides=[?]>>
    %v = constant <f32: 5.0> : tile<1xf32>
    %t = store_view_tko weak %v, %pv[%zero] : tile<1xf32>, partition_view<tile=(1), tensor_view<1xf32, strides=[?]>>, tile<i32> -> token
    return
  }
}
