// RUN: tile-opt %s --convert-cuda-tile-to-tileaa --gpu-name=sm_90 | FileCheck %s --check-prefix=AA
// RUN: tile-opt %s --lower-to=nvvm --gpu-name=sm_90 | FileCheck %s --check-prefix=NVVM

// A thread holds all parts of a whole, so that a part is a choice of registers: nothing is left of those whose indices are constants.
// AA-LABEL: nv_tileaa.global @table = dense<[1, 2, 3, 4]> : tensor<4xi32> {alignment = 16 : i64}
// AA-LABEL: nv_tileaa.func @parts
// AA: nv_tileaa.extract %{{.*}}[%{{.*}}] : tensor<256xf32>, i32 -> tensor<128xf32>
// AA: %[[P:.*]] = nv_tileaa.extract
// AA: nv_tileaa.cat %[[P]], %{{.*}} dim 0 : tensor<128xf32>, tensor<128xf32> -> tensor<256xf32>
// AA: nv_tileaa.insert %[[P]], %{{.*}}[%{{.*}}] : tensor<128xf32>, tensor<256xf32>, i32
// NVVM-LABEL: nvvm.func @parts
// NVVM: nvvm.ld
// NVVM-NOT: arith.select
// NVVM-LABEL: nvvm.func @dynamic
// NVVM: arith.select
global @table alignment = 16 <i32: [1, 2, 3, 4]> : tile<4xi32>
entry @parts(%p: tile<ptr<f32>>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %v = make_tensor_view %p, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
  %t, %k = load_view_tko weak %w[%zero] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
  %lo = extract %t[%zero] : tile<256xf32> -> tile<128xf32>
  %hi = extract %t[%one] : tile<256xf32> -> tile<128xf32>
  %c = cat %hi, %lo dim = 0 : tile<128xf32>, tile<128xf32> -> tile<256xf32>
  %i = insert %hi, %c[%one] : tile<128xf32>, tile<256xf32>
  %k2 = store_view_tko weak %i, %w[%zero] token = %k : tile<256xf32>, partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
  return
}

entry @dynamic(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %v = make_tensor_view %p, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
  %u = make_partition_view %v : partition_view<tile=(128), tensor_view<256xf32, strides=[1]>>
  %t, %k = load_view_tko weak %w[%zero] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
  %lo = extract %t[%n] : tile<256xf32> -> tile<128xf32>
  %k2 = store_view_tko weak %lo, %u[%zero] token = %k : tile<128xf32>, partition_view<tile=(128), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
  return
}

// A constant whose elements differ stands in memory; pointers of a gather are made element by element.
// NVVM-LABEL: nvvm.global @gather_table_0 = dense<[3, 1, 0, 2]> : tensor<4xi32>
// NVVM-LABEL: nvvm.func @gather
// NVVM: nvvm.addressof @gather_table_0
// AA-LABEL: nv_tileaa.func @gather
// AA: arith.cmpi ult, {{.*}} : tensor<4xi64>
// AA: nv_tileaa.load {{.*}} mask {{.*}} other
entry @gather(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %rows = constant <i32: [3, 1, 0, 2]> : tile<4xi32>
  %v = make_tensor_view %p, shape = [%n, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf32, strides=[32,1]>
  %g = make_gather_scatter_view %v : gather_scatter_view<tile=(4x32), padding_value = zero, tensor_view<?x32xf32, strides=[32,1]>, sparse_dim=0>
  %t, %k = load_view_tko weak %g[%rows, %zero] : gather_scatter_view<tile=(4x32), padding_value = zero, tensor_view<?x32xf32, strides=[32,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x32xf32>, token
  %k2 = store_view_tko weak %t, %g[%rows, %zero] token = %k : tile<4x32xf32>, gather_scatter_view<tile=(4x32), padding_value = zero, tensor_view<?x32xf32, strides=[32,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> token
  return
}
