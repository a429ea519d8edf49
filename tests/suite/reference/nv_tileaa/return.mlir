// RUN: tile-opt %s --verify-roundtrip

nv_tileaa.func @example(%c: i1) {
  scf.if %c {
    // Ends the kernel for this tile block.
    nv_tileaa.return
  }
  nv_tileaa.return
}
