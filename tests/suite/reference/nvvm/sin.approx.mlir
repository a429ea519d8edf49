// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f32) {
  %r = nvvm.sin.approx %x : f32
  %s = nvvm.sin.approx %x ftz : f32
  nvvm.return
}
