// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>) {
  %t = nv_tileaa.grid_wait -> !nv_tileaa.mem_token
  // What the load reads, the kernels before may have written.
  %x, %u = nv_tileaa.load %p token %t : !nv_tileaa.mem_token : !nv_tileaa.ptr<f32> -> f32, !nv_tileaa.mem_token
  nv_tileaa.return
}
