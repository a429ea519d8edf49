// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%c: i1, %x: f32, %y: f32) {
  %r = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  }
  nv_tileaa.return
}
