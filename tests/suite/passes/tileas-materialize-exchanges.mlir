// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileas-materialize-exchanges --verify-diagnostics
// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileas-materialize-exchanges | FileCheck %s

#part = #nv_tileas.layout<"{shape = [1, 64], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">
#all = #nv_tileas.layout<"{shape = [2, 64], register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">

// Each CTA stores its part and reads those of all, in their order; none stores to the memory, or ends, before all have read.
// CHECK-LABEL: @one(
// CHECK: %[[B:.*]] = nv_tileas.alloc_shared
// CHECK: nv_tileas.local_store %{{.*}}, %[[B]]
// CHECK-NEXT: nv_tileas.cluster_barrier
// CHECK: %[[C0:.*]] = arith.constant 0 : i32
// CHECK: %[[X:.*]] = nv_tileas.remote_load %[[B]] of %[[C0]]
// CHECK: %[[C1:.*]] = arith.constant 1 : i32
// CHECK: %[[Y:.*]] = nv_tileas.remote_load %[[B]] of %[[C1]]
// CHECK: nv_tileas.cat %[[X]], %[[Y]] dim 0
// CHECK-NEXT: nv_tileas.cluster_barrier
// CHECK-NEXT: nv_tileas.dealloc_shared %[[B]]
// CHECK-NOT: all_gather
nv_tileas.func @one(%x: f32, %q: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  %p = nv_tileas.splat %q : !nv_tileas.ptr<f32> -> tensor<2x64x!nv_tileas.ptr<f32>, #all>
  %part = nv_tileas.splat %x : f32 -> tensor<1x64xf32, #part>
  %all = nv_tileas.all_gather %part dim 0 : tensor<1x64xf32, #part> -> tensor<2x64xf32, #all>
  %t = nv_tileas.store %p, %all : tensor<2x64x!nv_tileas.ptr<f32>, #all>, tensor<2x64xf32, #all> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

#part = #nv_tileas.layout<"{shape = [1, 64], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">
#all = #nv_tileas.layout<"{shape = [2, 64], register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">

// Two that do not need each other's results have their barriers together.
// CHECK-LABEL: @together(
// CHECK-COUNT-2: nv_tileas.local_store
// CHECK: nv_tileas.cluster_barrier
// CHECK-COUNT-4: nv_tileas.remote_load
// CHECK: nv_tileas.cluster_barrier
// CHECK-NEXT: nv_tileas.dealloc_shared
// CHECK-NEXT: nv_tileas.dealloc_shared
// CHECK-NOT: cluster_barrier
nv_tileas.func @together(%x: f32, %y: f32, %q: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  %p = nv_tileas.splat %q : !nv_tileas.ptr<f32> -> tensor<2x64x!nv_tileas.ptr<f32>, #all>
  %a = nv_tileas.splat %x : f32 -> tensor<1x64xf32, #part>
  %b = nv_tileas.splat %y : f32 -> tensor<1x64xf32, #part>
  %as = nv_tileas.all_gather %a dim 0 : tensor<1x64xf32, #part> -> tensor<2x64xf32, #all>
  %bs = nv_tileas.all_gather %b dim 0 : tensor<1x64xf32, #part> -> tensor<2x64xf32, #all>
  %s = arith.addf %as, %bs : tensor<2x64xf32, #all>
  %t = nv_tileas.store %p, %s : tensor<2x64x!nv_tileas.ptr<f32>, #all>, tensor<2x64xf32, #all> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

#part = #nv_tileas.layout<"{shape = [1, 64], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">
#all = #nv_tileas.layout<"{shape = [2, 64], register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">

// Of two that follow each other the barrier in front of the second's loads keeps the first's memory too, which is free behind it.
// CHECK-LABEL: @following(
// CHECK: %[[A:.*]] = nv_tileas.alloc_shared
// CHECK: nv_tileas.cluster_barrier
// CHECK-COUNT-2: nv_tileas.remote_load %[[A]]
// CHECK-NOT: cluster_barrier
// CHECK: %[[B:.*]] = nv_tileas.alloc_shared
// CHECK: nv_tileas.local_store %{{.*}}, %[[B]]
// CHECK-NEXT: nv_tileas.cluster_barrier
// CHECK-NEXT: nv_tileas.dealloc_shared %[[A]]
// CHECK-COUNT-2: nv_tileas.remote_load %[[B]]
// CHECK: nv_tileas.cluster_barrier
// CHECK-NEXT: nv_tileas.dealloc_shared %[[B]]
// CHECK-NOT: cluster_barrier
nv_tileas.func @following(%x: f32, %q: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  %p = nv_tileas.splat %q : !nv_tileas.ptr<f32> -> tensor<2x64x!nv_tileas.ptr<f32>, #all>
  %i = arith.constant 0 : i32
  %a = nv_tileas.splat %x : f32 -> tensor<1x64xf32, #part>
  %as = nv_tileas.all_gather %a dim 0 : tensor<1x64xf32, #part> -> tensor<2x64xf32, #all>
  %b = nv_tileas.extract %as[%i, %i] : tensor<2x64xf32, #all>, i32, i32 -> tensor<1x64xf32, #part>
  %bs = nv_tileas.all_gather %b dim 0 : tensor<1x64xf32, #part> -> tensor<2x64xf32, #all>
  %t = nv_tileas.store %p, %bs : tensor<2x64x!nv_tileas.ptr<f32>, #all>, tensor<2x64xf32, #all> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

#part = #nv_tileas.layout<"{shape = [1, 64], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">
#all = #nv_tileas.layout<"{shape = [2, 64], register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">

// Where the kernel may end between them, it has a barrier of its own.
// CHECK-LABEL: @leaves(
// CHECK-COUNT-2: nv_tileas.remote_load
// CHECK: nv_tileas.cluster_barrier
// CHECK-NEXT: nv_tileas.dealloc_shared
// CHECK: scf.if
// CHECK: nv_tileas.cluster_barrier
// CHECK-COUNT-2: nv_tileas.remote_load
// CHECK: nv_tileas.cluster_barrier
nv_tileas.func @leaves(%x: f32, %c: i1, %q: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  %p = nv_tileas.splat %q : !nv_tileas.ptr<f32> -> tensor<2x64x!nv_tileas.ptr<f32>, #all>
  %a = nv_tileas.splat %x : f32 -> tensor<1x64xf32, #part>
  %as = nv_tileas.all_gather %a dim 0 : tensor<1x64xf32, #part> -> tensor<2x64xf32, #all>
  %t = nv_tileas.store %p, %as : tensor<2x64x!nv_tileas.ptr<f32>, #all>, tensor<2x64xf32, #all> -> !nv_tileas.mem_token
  scf.if %c {
    nv_tileas.return
  }
  %bs = nv_tileas.all_gather %a dim 0 : tensor<1x64xf32, #part> -> tensor<2x64xf32, #all>
  %u = nv_tileas.store %p, %bs : tensor<2x64x!nv_tileas.ptr<f32>, #all>, tensor<2x64xf32, #all> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// A kernel that gathers nothing stays as it is.
// CHECK-LABEL: @unchanged_without(
// CHECK-NEXT: nv_tileas.return
nv_tileas.func @unchanged_without() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  nv_tileas.return
}
