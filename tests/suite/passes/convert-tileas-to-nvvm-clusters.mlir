// RUN: tile-opt %s --split-input-file --convert-tileas-to-nvvm --gpu-name=sm_120 --verify-diagnostics
// RUN: tile-opt %s --split-input-file --convert-tileas-to-nvvm --gpu-name=sm_90 | FileCheck %s

// A tile block that two CTAs share has the number of the cluster in the grid. One of a single CTA has the CTA's, whose rank is 0.
// CHECK-LABEL: nvvm.func @two(
// CHECK-SAME: nvvm.cluster_dim = array<i32: 2, 1, 1>, nvvm.blocksareclusters
// CHECK-DAG: nvvm.read.ptx.sreg.clusterid.x
// CHECK-DAG: nvvm.read.ptx.sreg.nclusterid.y
// CHECK-DAG: nvvm.read.ptx.sreg.cluster_ctarank
// CHECK-NOT: sreg.ctaid
nv_tileas.func @two(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %x, %y, %z = nv_tileas.get_program_id : i32, i32, i32
  %w, %h, %d = nv_tileas.get_num_programs : i32, i32, i32
  %r = nv_tileas.get_cta_rank : i32
  %a = arith.addi %x, %h : i32
  %b = arith.addi %a, %r : i32
  %t = nv_tileas.store %p, %b : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// CHECK-LABEL: nvvm.func @one(
// CHECK-NOT: cluster
// CHECK: nvvm.read.ptx.sreg.ctaid.x
nv_tileas.func @one(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %x, %y, %z = nv_tileas.get_program_id : i32, i32, i32
  %r = nv_tileas.get_cta_rank : i32
  %b = arith.addi %x, %r : i32
  %t = nv_tileas.store %p, %b : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// Clusters have the shape that the program gives them, and CTAs their rank in it.
// CHECK-LABEL: nvvm.func @shape(
// CHECK-SAME: nvvm.cluster_dim = array<i32: 1, 2, 2>, nvvm.blocksareclusters
// CHECK-DAG: nvvm.read.ptx.sreg.clusterid.x
// CHECK-DAG: nvvm.read.ptx.sreg.cluster_ctarank
module attributes {tt.cluster_dim = array<i32: 1, 2, 2>} {
  nv_tileas.func @shape(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4>} {
    %x, %y, %z = nv_tileas.get_program_id : i32, i32, i32
    %r = nv_tileas.get_cta_rank : i32
    %b = arith.addi %x, %r : i32
    %t = nv_tileas.store %p, %b : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
    nv_tileas.return
  }
}

// -----

// expected-error@+1 {{'nv_tileas.func' op is to be computed by clusters of 16 CTAs, but sm_120 has at most 8 in a cluster}}
nv_tileas.func @many() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 16>} {
  nv_tileas.return
}

// -----

#part = #nv_tileas.layout<"{shape = [1, 64], register = [], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32]], block = []}">
#shared = #nv_tileas.shared<"{shape = [1, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]]}">

// What a CTA has in a place of its shared memory another one has where mapa says.
// CHECK-LABEL: nvvm.func @remote(
// CHECK: %[[C1:.*]] = arith.constant 1 : i32
// CHECK: %[[AT:.*]] = nvvm.mapa %[[P:.*]] of %[[C1]] : !nvvm.ptr<3>, i32 -> !nvvm.ptr<7>
// CHECK: nvvm.ld %[[AT]] {{.*}}: !nvvm.ptr<7> -> f32
nv_tileas.func @remote(%p: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>, nv_tileas.shared_bytes = 256 : i32} {
  %c1 = arith.constant 1 : i32
  %m = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<1x64xf32, #shared>
  nv_tileas.cluster_barrier
  %b = nv_tileas.remote_load %m of %c1 : !nv_tileas.buffer<1x64xf32, #shared> -> tensor<1x64xf32, #part>
  nv_tileas.cluster_barrier
  %ps = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<1x64x!nv_tileas.ptr<f32>, #part>
  %t = nv_tileas.store %ps, %b : tensor<1x64x!nv_tileas.ptr<f32>, #part>, tensor<1x64xf32, #part> -> !nv_tileas.mem_token
  nv_tileas.return
}

// -----

// CHECK-LABEL: nvvm.func @meet(
// CHECK: nvvm.st
// CHECK: nvvm.barrier.cluster
// CHECK: nvvm.ld
// Where CTAs share a tile block, an atomic operation of scope tl_blk has the scope of the cluster.
// CHECK: nvvm.atom add {{.*}}scope = "cluster"
nv_tileas.func @meet(%p: !nv_tileas.ptr<i32>, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>} {
  %t = nv_tileas.store %p, %i : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %all = nv_tileas.cluster_sync %t : !nv_tileas.mem_token -> !nv_tileas.mem_token
  %x, %u = nv_tileas.load %p token %all : !nv_tileas.mem_token : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
  %old, %v = nv_tileas.atomic_rmw add %p, %x {ordering = "relaxed", scope = "tl_blk"} : !nv_tileas.ptr<i32>, i32 -> i32, !nv_tileas.mem_token
  nv_tileas.return
}

// -----

#one = #nv_tileas.shared<"{shape = [1], offset = []}">

// The warps of a role meet those of the role in the other CTA. The lanes of each have met before, and one lane arrives at each CTA. All wait for their own
// mbarrier, and see what the others stored.
// CHECK-LABEL: nvvm.func @roles_meet(
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.mbarrier.arrive.remote %{{.*}} of %{{.*}} if %{{.*}} cluster
// CHECK-NEXT: nvvm.mbarrier.wait.parity %{{.*}}, %{{.*}} cluster
nv_tileas.func @roles_meet(%parity: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 2>, nv_tileas.shared_bytes = 128 : i32} {
  %b = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %b, 2 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.cluster_barrier
  nv_tileas.warp_specialize {
    role "one" warps(1) {
      nv_tileas.cluster_barrier at %b, %parity : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
    }
    role "other" warps(1) {
    }
  }
  nv_tileas.cluster_barrier
  nv_tileas.return
}
