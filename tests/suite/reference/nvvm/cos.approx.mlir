// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f32) {
  %r = nvvm.cos.approx %x : f32
  %s = nvvm.cos.approx %x ftz : f32
  nvvm.return
}
