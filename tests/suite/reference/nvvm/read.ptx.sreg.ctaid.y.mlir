// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  %r = nvvm.read.ptx.sreg.ctaid.y : i32
  nvvm.return
}
