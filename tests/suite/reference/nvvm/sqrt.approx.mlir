// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f32) {
  %r = nvvm.sqrt.approx %x : f32
  %s = nvvm.sqrt.approx %x ftz : f32
  nvvm.return
}
