// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%c: i1) {
  cf.cond_br %c, ^early, ^late
^early:
  nvvm.return
^late:
  nvvm.return
}
