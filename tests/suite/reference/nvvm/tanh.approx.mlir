// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f32) {
  %r = nvvm.tanh.approx %x : f32
  %s = nvvm.tanh.approx %x ftz : f32
  nvvm.return
}
