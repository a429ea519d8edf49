// RUN: tile-opt %s --convert-tileas-to-nvvm --gpu-name=sm_100 | FileCheck %s

// Threads of a CTA pass TMEM to each other at a barrier of the cluster too, and where some arrive at a named barrier and
// others wait. Only fences order operations on TMEM.
// CHECK: nvvm.ld
// CHECK: nvvm.tcgen05.fence.before_thread_sync
// CHECK-NEXT: nvvm.barrier.cluster
// CHECK-NEXT: nvvm.tcgen05.fence.after_thread_sync
// CHECK: nvvm.tcgen05.fence.before_thread_sync
// CHECK-NEXT: nvvm.barrier.arrive
#slot = #nv_tileas.shared<"{shape = [1], offset = []}">
module {
  nv_tileas.func @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>, nv_tileas.shared_bytes = 128 : i64} {
    %place = nv_tileas.alloc_shared at 0 : !nv_tileas.buffer<1xi32, #slot>
    nv_tileas.reserve_tmem 32, %place : !nv_tileas.buffer<1xi32, #slot>
    nv_tileas.cluster_barrier
    nv_tileas.barrier_arrive id 1 warps 4
    nv_tileas.release_tmem 32
    nv_tileas.return
  }
}
