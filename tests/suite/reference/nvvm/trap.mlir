// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%c: i1) {
  cf.cond_br %c, ^fine, ^wrong
^wrong:
  nvvm.trap
  cf.br ^fine
^fine:
  nvvm.return
}
