// RUN: tile-opt %s --convert-cuda-tile-to-tileaa | FileCheck %s

// A tile of the index space leaves its tensor only where its extent does not divide the size.
cuda_tile.module @m {
entry @bounds(%p: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %tok = make_token : token
  %columns = assume div_by<256>, %n : tile<i32>
  %rows = make_tensor_view %p, shape = [%m, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf32, strides=[1024,1]>
  %ragged = make_tensor_view %p, shape = [%m, 1000], strides = [1024, 1] : tile<i32> -> tensor_view<?x1000xf32, strides=[1024,1]>
  %assumed = make_tensor_view %p, shape = [%m, %columns], strides = [1024, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[1024,1]>

  // One row, and columns in tiles that divide 1024: nothing leaves.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: false, false>
  %v0 = make_partition_view %rows : partition_view<tile=(1x256), tensor_view<?x1024xf32, strides=[1024,1]>>
  %x0, %t0 = load_view_tko weak %v0[%zero, %zero] token = %tok : partition_view<tile=(1x256), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<1x256xf32>, token
  %s0 = store_view_tko weak %x0, %v0[%zero, %zero] token = %t0 : tile<1x256xf32>, partition_view<tile=(1x256), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> token

  // 1000 is not divided, so that rows are tested too.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: true, true>
  %v1 = make_partition_view %ragged : partition_view<tile=(1x256), tensor_view<?x1000xf32, strides=[1024,1]>>
  %x1, %t1 = load_view_tko weak %v1[%zero, %zero] token = %tok : partition_view<tile=(1x256), tensor_view<?x1000xf32, strides=[1024,1]>>, tile<i32> -> tile<1x256xf32>, token
  %s1 = store_view_tko weak %x1, %v1[%zero, %zero] token = %t1 : tile<1x256xf32>, partition_view<tile=(1x256), tensor_view<?x1000xf32, strides=[1024,1]>>, tile<i32> -> token

  // An assumption that 256 divides the size leaves tests as they are.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: true, true>
  %v2 = make_partition_view %assumed : partition_view<tile=(1x256), tensor_view<?x?xf32, strides=[1024,1]>>
  %x2, %t2 = load_view_tko weak %v2[%zero, %zero] token = %tok : partition_view<tile=(1x256), tensor_view<?x?xf32, strides=[1024,1]>>, tile<i32> -> tile<1x256xf32>, token
  %s2 = store_view_tko weak %x2, %v2[%zero, %zero] token = %t2 : tile<1x256xf32>, partition_view<tile=(1x256), tensor_view<?x?xf32, strides=[1024,1]>>, tile<i32> -> token

  // Single elements are inside of each tensor.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: false, false>
  %v3 = make_partition_view %assumed : partition_view<tile=(1x1), tensor_view<?x?xf32, strides=[1024,1]>>
  %x3, %t3 = load_view_tko weak %v3[%zero, %zero] token = %tok : partition_view<tile=(1x1), tensor_view<?x?xf32, strides=[1024,1]>>, tile<i32> -> tile<1x1xf32>, token
  %s3 = store_view_tko weak %x3, %v3[%zero, %zero] token = %t3 : tile<1x1xf32>, partition_view<tile=(1x1), tensor_view<?x?xf32, strides=[1024,1]>>, tile<i32> -> token

  // What the program promises needs no test, and then no dimension does.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: false, false>
  %v4 = make_partition_view %ragged : partition_view<tile=(1x256), tensor_view<?x1000xf32, strides=[1024,1]>>
  %x4, %t4 = load_view_tko weak %v4[%zero, %zero] token = %tok inbounds = [false, true] : partition_view<tile=(1x256), tensor_view<?x1000xf32, strides=[1024,1]>>, tile<i32> -> tile<1x256xf32>, token
  %s4 = store_view_tko weak %x4, %v4[%zero, %zero] token = %t4 inbounds = [false, true] : tile<1x256xf32>, partition_view<tile=(1x256), tensor_view<?x1000xf32, strides=[1024,1]>>, tile<i32> -> token

  // A promise for another dimension.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, true>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: false, true>
  %v5 = make_partition_view %ragged : partition_view<tile=(1x256), tensor_view<?x1000xf32, strides=[1024,1]>>
  %x5, %t5 = load_view_tko weak %v5[%zero, %zero] token = %tok inbounds = [true, false] : partition_view<tile=(1x256), tensor_view<?x1000xf32, strides=[1024,1]>>, tile<i32> -> tile<1x256xf32>, token
  %s5 = store_view_tko weak %x5, %v5[%zero, %zero] token = %t5 inbounds = [true, false] : tile<1x256xf32>, partition_view<tile=(1x256), tensor_view<?x1000xf32, strides=[1024,1]>>, tile<i32> -> token

  // Dimensions of the tile are exchanged: 1024 of 256, and rows one by one.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: false, false>
  %v6 = make_partition_view %rows : partition_view<tile=(256x1), tensor_view<?x1024xf32, strides=[1024,1]>, dim_map=[1, 0]>
  %x6, %t6 = load_view_tko weak %v6[%zero, %zero] token = %tok : partition_view<tile=(256x1), tensor_view<?x1024xf32, strides=[1024,1]>, dim_map=[1, 0]>, tile<i32> -> tile<256x1xf32>, token
  %s6 = store_view_tko weak %x6, %v6[%zero, %zero] token = %t6 : tile<256x1xf32>, partition_view<tile=(256x1), tensor_view<?x1024xf32, strides=[1024,1]>, dim_map=[1, 0]>, tile<i32> -> token

  // Now tiles of 256 rows.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: true, true>
  %v7 = make_partition_view %rows : partition_view<tile=(1x256), tensor_view<?x1024xf32, strides=[1024,1]>, dim_map=[1, 0]>
  %x7, %t7 = load_view_tko weak %v7[%zero, %zero] token = %tok : partition_view<tile=(1x256), tensor_view<?x1024xf32, strides=[1024,1]>, dim_map=[1, 0]>, tile<i32> -> tile<1x256xf32>, token
  %s7 = store_view_tko weak %x7, %v7[%zero, %zero] token = %t7 : tile<1x256xf32>, partition_view<tile=(1x256), tensor_view<?x1024xf32, strides=[1024,1]>, dim_map=[1, 0]>, tile<i32> -> token

  // Overlapping tiles: the last one leaves.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: true, true>
  %v8 = make_strided_view %rows : strided_view<tile=(1x256), traversal_strides=[1,128], tensor_view<?x1024xf32, strides=[1024,1]>>
  %x8, %t8 = load_view_tko weak %v8[%zero, %zero] token = %tok : strided_view<tile=(1x256), traversal_strides=[1,128], tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<1x256xf32>, token
  %s8 = store_view_tko weak %x8, %v8[%zero, %zero] token = %t8 : tile<1x256xf32>, strided_view<tile=(1x256), traversal_strides=[1,128], tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> token

  // Tiles with gaps: the last one is at 512.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: false, false>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: false, false>
  %v9 = make_strided_view %rows : strided_view<tile=(1x256), traversal_strides=[1,512], tensor_view<?x1024xf32, strides=[1024,1]>>
  %x9, %t9 = load_view_tko weak %v9[%zero, %zero] token = %tok : strided_view<tile=(1x256), traversal_strides=[1,512], tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<1x256xf32>, token
  %s9 = store_view_tko weak %x9, %v9[%zero, %zero] token = %t9 : tile<1x256xf32>, strided_view<tile=(1x256), traversal_strides=[1,512], tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> token

  // The tile is larger than the tensor.
  // CHECK: nv_tileaa.tiled_load {{.*}}bounds = array<i1: true, true>
  // CHECK: nv_tileaa.tiled_store {{.*}}bounds = array<i1: true, true>
  %v10 = make_partition_view %rows : partition_view<tile=(1x2048), tensor_view<?x1024xf32, strides=[1024,1]>>
  %x10, %t10 = load_view_tko weak %v10[%zero, %zero] token = %tok : partition_view<tile=(1x2048), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<1x2048xf32>, token
  %s10 = store_view_tko weak %x10, %v10[%zero, %zero] token = %t10 : tile<1x2048xf32>, partition_view<tile=(1x2048), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> token

  // Atomic operations test each dimension for itself.
  // CHECK: nv_tileaa.tiled_atomic_rmw {{.*}}bounds = array<i1: false, true>
  %a = atomic_red_view_tko relaxed device %v1[%zero, %zero], addf, %x1 token = %tok : tile<1x256xf32>, partition_view<tile=(1x256), tensor_view<?x1000xf32, strides=[1024,1]>>, tile<i32> -> token
  return
}
}
