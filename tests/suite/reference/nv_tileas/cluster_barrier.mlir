// RUN: tile-opt %s --verify-roundtrip

#one = #nv_tileas.shared<"{shape = [1], offset = []}">

nv_tileas.func @example(%parity: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2>} {
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  // One arrival of each warp of each CTA.
  nv_tileas.mbarrier_init %b, 8 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.cluster_barrier
  nv_tileas.mbarrier_arrive %b, 4 cluster : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_wait %b, %parity cluster : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  // No CTA ends while others arrive at its mbarrier.
  nv_tileas.cluster_barrier
  nv_tileas.return
}
