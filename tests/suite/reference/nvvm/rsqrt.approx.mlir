// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f32) {
  %r = nvvm.rsqrt.approx %x : f32
  %s = nvvm.rsqrt.approx %x ftz : f32
  nvvm.return
}
