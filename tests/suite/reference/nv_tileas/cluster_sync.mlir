// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<i32>, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_ctas = 2>} {
  // Each CTA loads behind what the other one has stored.
  %t = nv_tileas.store %p, %i : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  %all = nv_tileas.cluster_sync %t : !nv_tileas.mem_token -> !nv_tileas.mem_token
  %x, %u = nv_tileas.load %p token %all : !nv_tileas.mem_token : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
  nv_tileas.return
}
