// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %x: f32) {
  %t = nv_tileas.store %p, %x : !nv_tileas.ptr<f32>, f32 -> !nv_tileas.mem_token
  %u = nv_tileas.grid_launch_dependents %t : !nv_tileas.mem_token -> !nv_tileas.mem_token
  nv_tileas.return
}
