// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%c: i1, %x: i32, %y: i32) {
  cf.cond_br %c, ^join(%x : i32), ^other
^other:
  cf.br ^join(%y : i32)
^join(%v: i32):
  nvvm.return
}
