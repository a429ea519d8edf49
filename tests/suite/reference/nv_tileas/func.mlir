// RUN: tile-opt %s --verify-roundtrip

// The launch shape stands in attributes once it is known.
nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, occupancy = 2>} {
  nv_tileas.return
}
