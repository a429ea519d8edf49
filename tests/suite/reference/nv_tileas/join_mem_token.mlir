// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>) {
  %x, %t = nv_tileas.load %p : !nv_tileas.ptr<f32> -> f32, !nv_tileas.mem_token
  %y, %u = nv_tileas.load %q : !nv_tileas.ptr<f32> -> f32, !nv_tileas.mem_token
  // The store comes after both loads.
  %both = nv_tileas.join_mem_token %t, %u
  %v = nv_tileas.store %p, %y token %both : !nv_tileas.mem_token : !nv_tileas.ptr<f32>, f32 -> !nv_tileas.mem_token
  nv_tileas.return
}
