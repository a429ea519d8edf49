// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>) {
  %x, %t = nv_tileaa.load %p : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  %y, %u = nv_tileaa.load %q : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  // The store comes after both loads.
  %both = nv_tileaa.join_mem_token %t, %u
  %v = nv_tileaa.store %p, %y token %both : !nv_tileaa.mem_token : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}
