// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f32) {
  %r = nvvm.rcp.approx %x : f32
  %s = nvvm.rcp.approx %x ftz : f32
  nvvm.return
}
