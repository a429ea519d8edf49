// RUN: tile-opt %s --verify-roundtrip

// The launch shape stands in attributes once it is known.
nv_tileas.func @example(%p: !nv_tileas.ptr<f32>, %n: i32) attributes {num_warps = 4 : i32, occupancy = 2 : i32} {
  nv_tileas.return
}
