// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  %r = nvvm.read.ptx.sreg.nclusterid.x : i32
  nvvm.return
}
