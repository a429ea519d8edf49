// RUN: tile-opt %s --verify-roundtrip

#one = #nv_tileas.shared<"{shape = [1], offset = []}">

nv_tileas.func @example() {
  %b = nv_tileas.alloc_shared : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.mbarrier_init %b, 1 : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.barrier
  // Behind all waits for it.
  nv_tileas.mbarrier_inval %b : !nv_tileas.buffer<1x!nv_tileas.mbarrier, #one>
  nv_tileas.return
}
