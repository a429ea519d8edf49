// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  %r = nvvm.read.ptx.sreg.nctaid.x : i32
  nvvm.return
}
