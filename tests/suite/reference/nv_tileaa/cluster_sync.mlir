// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<i32>, %i: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_ctas = 2>} {
  // Each CTA loads behind what the other one has stored.
  %t = nv_tileaa.store %p, %i : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  %all = nv_tileaa.cluster_sync %t : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  %x, %u = nv_tileaa.load %p token %all : !nv_tileaa.mem_token : !nv_tileaa.ptr<i32> -> i32, !nv_tileaa.mem_token
  nv_tileaa.return
}
