// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f32) {
  %r = nvvm.ex2.approx %x : f32
  %s = nvvm.ex2.approx %x ftz : f32
  nvvm.return
}
