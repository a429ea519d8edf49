// RUN: tile-opt %s --verify-roundtrip

#one = #nv_tileas.shared<"{shape = [1], offset = []}">

nv_tileas.func @example() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i32
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %b, 128 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.barrier
  // One arrival of each thread.
  nv_tileas.mbarrier_arrive %b, 128 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_wait %b, %zero : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>, i32
  nv_tileas.return
}
