// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%n: i32) {
  %r = scf.loop -> (i32) {
    scf.break %n : i32
  }
  nv_tileaa.return
}
