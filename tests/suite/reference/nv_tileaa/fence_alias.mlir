// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %x: f32) {
  %t = nv_tileaa.store %p, %x : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  // The load sees the store although q is another address of the same memory.
  %u = nv_tileaa.fence_alias %t : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  %y, %v = nv_tileaa.load %q token %u : !nv_tileaa.mem_token : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  nv_tileaa.return
}
