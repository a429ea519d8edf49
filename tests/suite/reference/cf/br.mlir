// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: i32) {
  cf.br ^next(%x, %x : i32, i32)
^next(%a: i32, %b: i32):
  cf.br ^end
^end:
  nvvm.return
}
