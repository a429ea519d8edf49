// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>, %x: f32) {
  %t = nv_tileaa.store %p, %x : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  %u = nv_tileaa.grid_launch_dependents %t : !nv_tileaa.mem_token -> !nv_tileaa.mem_token
  nv_tileaa.return
}
