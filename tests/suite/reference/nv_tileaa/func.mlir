// RUN: tile-opt %s --verify-roundtrip

// The launch shape stands in attributes once it is known.
nv_tileaa.func @example(%p: !nv_tileaa.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32, occupancy = 2 : i32} {
  nv_tileaa.return
}
