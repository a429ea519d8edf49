// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  %r = nvvm.read.ptx.sreg.ctaid.x : i32
  nvvm.return
}
