// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%p: !nv_tileas.ptr<f32>) {
  %t = nv_tileas.grid_wait -> !nv_tileas.mem_token
  // What the load reads, the kernels before may have written.
  %x, %u = nv_tileas.load %p token %t : !nv_tileas.mem_token : !nv_tileas.ptr<f32> -> f32, !nv_tileas.mem_token
  nv_tileas.return
}
