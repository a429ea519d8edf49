// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%c: i1, %x: i32, %y: i32) {
  scf.if %c {
    nv_tileaa.return
  }
  %r:2 = scf.if %c -> (i32, i32) {
    scf.yield %x, %y : i32, i32
  } else {
    scf.yield %y, %x : i32, i32
  }
  nv_tileaa.return
}
