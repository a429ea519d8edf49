// RUN: tile-opt %s --verify-roundtrip

nv_tileas.func @example(%c: i1) {
  scf.if %c {
    // Ends the kernel for this tile block.
    nv_tileas.return
  }
  nv_tileas.return
}
