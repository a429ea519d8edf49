// RUN: tile-run -O3 --adversarial --seed=1 --gpu-name=sm_80 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN:   --timeout=30s --arg=i32[4096]=random --arg=i32[512] --arg=i32:8 %s
// RUN: tile-run -O3 --level=tileas --gpu-name=sm_90 --diff-engines=interp,ptx --entry=k --grid=1 \
// RUN:   --timeout=30s --arg=i32[4096]=random --arg=i32[512] --arg=i32:8 %s
// RUN: tile-opt %s --lower-to=nvvm --gpu-name=sm_80 --print-after=tileas-pipeline-loops -o /dev/null 2>&1 | FileCheck %s

// Loads of rows test no bounds, and the array ends with the last row. So a load that runs ahead of its iteration must not
// run for a row after the last one: its size becomes 0.
// CHECK: scf.for
// CHECK: %[[SIZE:.*]] = arith.select
// CHECK: nv_tileas.tiled_load {{.*}} sizes [%[[SIZE]], {{.*}} {bounds = array<i1: true, false>
cuda_tile.module @m {
  entry @k(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>, %rows: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %a = assume div_by<16>, %in : tile<ptr<i32>>
    %b = assume div_by<16>, %out : tile<ptr<i32>>
    %va = make_tensor_view %a, shape = [%rows, 512], strides = [512, 1] : tile<i32> -> tensor_view<?x512xi32, strides=[512,1]>
    %pa = make_partition_view %va : partition_view<tile=(1x512), tensor_view<?x512xi32, strides=[512,1]>>
    %vb = make_tensor_view %b, shape = [1, 512], strides = [512, 1] : tensor_view<1x512xi32, strides=[512,1]>
    %pb = make_partition_view %vb : partition_view<tile=(1x512), tensor_view<1x512xi32, strides=[512,1]>>
    %none = constant <i32: 1> : tile<1x512xi32>
    %three = constant <i32: 3> : tile<1x512xi32>
    %sum = for %i in (%zero to %rows, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<1x512xi32>) {
      %row, %t = load_view_tko weak %pa[%i, %zero] : partition_view<tile=(1x512), tensor_view<?x512xi32, strides=[512,1]>>, tile<i32> -> tile<1x512xi32>, token
      %n = muli %acc, %three : tile<1x512xi32>
      %next = addi %n, %row : tile<1x512xi32>
      continue %next : tile<1x512xi32>
    }
    %done = store_view_tko weak %sum, %pb[%zero, %zero] : tile<1x512xi32>, partition_view<tile=(1x512), tensor_view<1x512xi32, strides=[512,1]>>, tile<i32> -> token
    return
  }
}
