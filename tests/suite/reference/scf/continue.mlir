// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%c: i1, %lo: i32, %hi: i32, %step: i32) {
  scf.for %i = %lo to %hi step %step : i32 {
    scf.if %c {
      // Begins the next iteration from inside an if.
      scf.continue
    }
    scf.continue
  }
  nv_tileaa.return
}
