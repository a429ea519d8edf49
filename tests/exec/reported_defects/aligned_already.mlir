// RUN: tile-run --entry=k --grid=1,1,1 --diff-engines=interp,ptx --gpu-name=sm_90 -O3 --tensor-maps=params --adversarial --seed=40396 \
// RUN:   --arg='f32[32768]=0' --arg='i8[65536]=0' --arg='f16[65536]=0' --arg='i32[8]=7' --arg='f32[4096]=7' --arg='i32:3' --arg='i32:2' %s
// RUN: tile-opt --lower-to=ptx --gpu-name=sm_90 --tensor-maps=params %s -o /dev/null 2>&1 | FileCheck %s --allow-empty

// A loop whose load would be a TMA load if it were aligned, which it is: there is nothing to test. tileaa-version-loops made a condition of no tests, and
// crashed.
// CHECK-NOT: compiled again
cuda_tile.module @m {
  entry @k(%in_f32: tile<ptr<f32>>, %few_i8: tile<ptr<i8>>, %few_f16: tile<ptr<f16>>, %out_i32: tile<ptr<i32>>, %out_f32: tile<ptr<f32>>, %n0: tile<i32>, %n1: tile<i32>) {
    %start = make_token : token
    %v5 = assume div_by<16>, %few_i8 : tile<ptr<i8>>
    %v10 = make_tensor_view %v5, shape = [%n1, %n1], strides = [8, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[8,1]>
    %v11 = make_partition_view %v10 : partition_view<tile=(32x8), padding_value = zero, tensor_view<?x?xi8, strides=[8,1]>>
    %v12 = constant <f32: 0.000000e+00> : tile<128x8xf32>
    %v18 = for unsigned %v17 in (%n0 to %n0, step %n0) : tile<i32> iter_values(%v16 = %v12) -> (tile<128x8xf32>) {
      %cst_0_f16 = constant <f16: 0.000000e+00> : tile<128x32xf16>
      %v25, %v26 = load_view_tko weak %v11[%v17, %v17] : partition_view<tile=(32x8), padding_value = zero, tensor_view<?x?xi8, strides=[8,1]>>, tile<i32> -> tile<32x8xi8>, token
      %v27 = itof %v25 signed  : tile<32x8xi8> -> tile<32x8xf16>
      %v28 = mmaf %cst_0_f16, %v27, %v16 : tile<128x32xf16>, tile<32x8xf16>, tile<128x8xf32>
      continue %v28 : tile<128x8xf32>
    }
    %v29 = iota : tile<1024xi32>
    %v30 = reshape %v29 : tile<1024xi32> -> tile<128x8xi32>
    %v31 = reshape %in_f32 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %v32 = broadcast %v31 : tile<1x1xptr<f32>> -> tile<128x8xptr<f32>>
    %v33 = offset %v32, %v30 : tile<128x8xptr<f32>>, tile<128x8xi32> -> tile<128x8xptr<f32>>
    %v34 = store_ptr_tko weak %v33, %v18 token=%start : tile<128x8xptr<f32>>, tile<128x8xf32> -> token
    return
  }
}
