// RUN: tile-opt %s --split-input-file --convert-tileas-to-nvvm --gpu-name=sm_120 --verify-diagnostics
// RUN: tile-opt %s --split-input-file --convert-tileas-to-nvvm --gpu-name=sm_90 | FileCheck %s

// Where two CTAs share a tile block, its number in the grid is that of the cluster; alone, that of the CTA, whose rank is 0.
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

// expected-error@+1 {{'nv_tileas.func' op is to be computed by 16 CTAs a tile block, but sm_120 has at most 8 in a cluster}}
nv_tileas.func @many() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 16>} {
  nv_tileas.return
}
