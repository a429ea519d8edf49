// RUN: tile-opt %s --split-input-file --convert-cuda-tile-to-tileaa --gpu-name=sm_90 | FileCheck %s

// A view becomes base, offsets, sizes and strides; the padding stays; bounds are checked along both dimensions.
// CHECK-LABEL: nv_tileaa.func @copy
// CHECK-SAME: (%[[P:.*]]: !nv_tileaa.ptr<f16>, %[[M:.*]]: i32, %[[Q:.*]]: !nv_tileaa.ptr<f16>)
// CHECK: %[[A:.*]] = nv_tileaa.assume %[[P]] div_by<16> : !nv_tileaa.ptr<f16>
// CHECK: %[[SIZE:.*]] = arith.extsi %[[M]] : i32 to i64
// CHECK: %[[X:.*]], %[[Y:.*]], %[[Z:.*]] = nv_tileaa.get_program_id
// CHECK: nv_tileaa.tiled_load %[[A]][%{{.*}}, %{{.*}}] sizes [%[[SIZE]], %{{.*}}] strides [%{{.*}}, %{{.*}}] token %{{.*}} {padding = "neg_inf", bounds = array<i1: true, true>} : !nv_tileaa.ptr<f16> -> tensor<16x64xf16>
// CHECK: nv_tileaa.tiled_store
// CHECK: nv_tileaa.return
entry @copy(%p: tile<ptr<f16>>, %m: tile<i32>, %q: tile<ptr<f16>>) {
  %t = make_token : token
  %a = assume div_by<16>, %p : tile<ptr<f16>>
  %src = make_tensor_view %a, shape = [%m, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
  %dst = make_tensor_view %q, shape = [%m, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %from = make_partition_view %src : partition_view<tile=(16x64), padding_value = neg_inf, tensor_view<?x64xf16, strides=[64,1]>>
  %to = make_partition_view %dst : partition_view<tile=(16x64), tensor_view<?x64xf16, strides=[64,1]>>
  %tile, %t1 = load_view_tko weak %from[%x, %y] token = %t : partition_view<tile=(16x64), padding_value = neg_inf, tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x64xf16>, token
  %t2 = store_view_tko weak %tile, %to[%x, %y] token = %t1 : tile<16x64xf16>, partition_view<tile=(16x64), tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> token
  return
}

// -----

// A dimension map exchanges which size and stride belong to which dimension of the tile.
// CHECK-LABEL: nv_tileaa.func @transposed
// CHECK-DAG: %[[R:.*]] = arith.constant 128 : i64
// CHECK-DAG: %[[C:.*]] = arith.constant 32 : i64
// CHECK: nv_tileaa.tiled_load %{{.*}}[%{{.*}}, %{{.*}}] sizes [%[[C]], %[[R]]]
entry @transposed(%p: tile<ptr<f32>>) {
  %src = make_tensor_view %p, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xf32, strides=[32,1]>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %v = make_partition_view %src : partition_view<tile=(16x64), tensor_view<128x32xf32, strides=[32,1]>, dim_map=[1, 0]>
  %tile, %t1 = load_view_tko weak %v[%x, %y] : partition_view<tile=(16x64), tensor_view<128x32xf32, strides=[32,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x64xf32>, token
  return
}

// -----

// A tile of rank 0 is a scalar; reshaping one to a tile and back is a splat and its inverse.
// CHECK-LABEL: nv_tileaa.func @scalars
// CHECK: %[[S:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: nv_tileaa.splat %[[S]] : i32 -> tensor<1x1xi32>
// CHECK: nv_tileaa.broadcast {{.*}} : tensor<1x1xi32> -> tensor<4x8xi32>
// CHECK: scf.if
// CHECK: nv_tileaa.return
entry @scalars(%a: tile<i32>, %c: tile<i1>) {
  %s = addi %a, %a : tile<i32>
  %r = reshape %s : tile<i32> -> tile<1x1xi32>
  %b = broadcast %r : tile<1x1xi32> -> tile<4x8xi32>
  if %c {
    return
  }
  return
}

// -----

// Hints for the target beat the default, hint by hint.
// CHECK-LABEL: nv_tileaa.func @hints
// CHECK-SAME: attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 16, occupancy = 2>}
entry @hints() optimization_hints=<default = {num_worker_warps_per_cta = 4, occupancy = 2}, sm_90 = {num_worker_warps_per_cta = 16}> {
  return
}

// -----

// A gather_scatter_view is indexed by elements: its index space is the shape of the tensor, and not divided by the tile.
// CHECK-LABEL: nv_tileaa.func @space
// CHECK-SAME: (%[[P:.*]]: !nv_tileaa.ptr<f32>, %[[N:.*]]: i32)
// CHECK: %[[SIZE:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK: %[[SIXTYFOUR:.*]] = arith.constant 64 : i64
// CHECK-NOT: ceildivsi
// CHECK: %[[A:.*]] = arith.trunci %[[SIZE]] : i64 to i32
// CHECK: %[[B:.*]] = arith.trunci %[[SIXTYFOUR]] : i64 to i32
// CHECK: nv_tileaa.print "%i %i", %[[A]], %[[B]]
entry @space(%p: tile<ptr<f32>>, %n: tile<i32>) {
  %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
  %v = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x16), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
  %a, %b = get_index_space_shape %v : gather_scatter_view<tile=(4x16), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0> -> tile<i32>
  %t = print_tko "%i %i", %a, %b : tile<i32>, tile<i32> -> token
  return
}

// -----

// What never asks for bounds gets none to check, and an access of its own pointers none to compute.
// CHECK-LABEL: nv_tileaa.func @inbounds
// CHECK-NOT: nv_tileaa.tiled_load
// CHECK: nv_tileaa.load %{{.*}} : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8xf32>, !nv_tileaa.mem_token
// CHECK-NOT: mask
entry @inbounds(%p: tile<ptr<f32>>) {
  %i = iota : tile<8xi32>
  %q = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
  %b = broadcast %q : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %a = offset %b, %i : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
  %v, %t = load_ptr_tko weak %a : tile<8xptr<f32>> -> tile<8xf32>, token
  return
}
