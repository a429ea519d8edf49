// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %x: f32) {
  %t = nv_tileas.store %p, %x : !nv_tileas.ptr<f32>, f32 -> !nv_tileas.mem_token
  // The load sees the store although q is another address of the same memory.
  %u = nv_tileas.fence_alias %t : !nv_tileas.mem_token -> !nv_tileas.mem_token
  %y, %v = nv_tileas.load %q token %u : !nv_tileas.mem_token : !nv_tileas.ptr<f32> -> f32, !nv_tileas.mem_token
  nv_tileas.return
}
