// RUN: tile-run --diff-engines=interp,ptx --entry=tested --grid=1 --arg=f32[8]=1,2,3,4,5,6,7,8 --arg=f32[4]=9,9,9,9 --arg=i32:2 --arg=i32:4 --out=1=%t.npy %s
// RUN: print-npy %t.npy | FileCheck --match-full-lines %s
// RUN: not tile-run --engine=interp --strict-indices --entry=tested --grid=1 --arg=f32[8] --arg=f32[4] --arg=i32:2 --arg=i32:4 %s 2>&1 | FileCheck --check-prefix=STRICT %s
// RUN: not tile-run --engine=interp --entry=untested --grid=1 --arg=f32[8] --arg=f32[4] --arg=i32:2 %s 2>&1 | FileCheck --check-prefix=STRICT %s
// RUN: not tile-run --engine=ptx --entry=untested --grid=1 --arg=f32[8] --arg=f32[4] --arg=i32:2 %s 2>&1 | FileCheck --check-prefix=PTX %s
// RUN: not tile-run --level=tileaa --engine=interp --entry=untested --grid=1 --arg=f32[8] --arg=f32[4] --arg=i32:2 %s 2>&1 | FileCheck --check-prefix=LOWERED %s

// The row after the last one is not in the index space, so a load of it is undefined. As code of tileiras does, ours gives
// padding if some tile of the view may leave the tensor: columns are tested then, and rows with them. The interpreter
// permits it there. Where no tile may leave, nothing is tested, and the load reads what follows: an error.
// CHECK: 0 0 0 0
// STRICT: error: 'cuda_tile.load_view_tko' op index 2 of dimension 0 is outside of the index space of 2
// PTX: is out of bounds
// LOWERED: is not checked along dimension 0, but its tile is from 2 to 3 of 2
cuda_tile.module @m {
  entry @tested(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %tv = make_tensor_view %p, shape = [%m, %n], strides = [4, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[4,1]>
    %pv = make_partition_view %tv : partition_view<tile=(1x4), padding_value = zero, tensor_view<?x?xf32, strides=[4,1]>>
    %v, %t = load_view_tko weak %pv[%m, %zero] : partition_view<tile=(1x4), padding_value = zero, tensor_view<?x?xf32, strides=[4,1]>>, tile<i32> -> tile<1x4xf32>, token
    %tw = make_tensor_view %q, shape = [1, 4], strides = [4, 1] : tensor_view<1x4xf32, strides=[4,1]>
    %pw = make_partition_view %tw : partition_view<tile=(1x4), tensor_view<1x4xf32, strides=[4,1]>>
    %s = store_view_tko weak %v, %pw[%zero, %zero] : tile<1x4xf32>, partition_view<tile=(1x4), tensor_view<1x4xf32, strides=[4,1]>>, tile<i32> -> token
    return
  }
  entry @untested(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %m: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %tv = make_tensor_view %p, shape = [%m, 4], strides = [4, 1] : tile<i32> -> tensor_view<?x4xf32, strides=[4,1]>
    %pv = make_partition_view %tv : partition_view<tile=(1x4), padding_value = zero, tensor_view<?x4xf32, strides=[4,1]>>
    %v, %t = load_view_tko weak %pv[%m, %zero] : partition_view<tile=(1x4), padding_value = zero, tensor_view<?x4xf32, strides=[4,1]>>, tile<i32> -> tile<1x4xf32>, token
    %tw = make_tensor_view %q, shape = [1, 4], strides = [4, 1] : tensor_view<1x4xf32, strides=[4,1]>
    %pw = make_partition_view %tw : partition_view<tile=(1x4), tensor_view<1x4xf32, strides=[4,1]>>
    %s = store_view_tko weak %v, %pw[%zero, %zero] : tile<1x4xf32>, partition_view<tile=(1x4), tensor_view<1x4xf32, strides=[4,1]>>, tile<i32> -> token
    return
  }
}
