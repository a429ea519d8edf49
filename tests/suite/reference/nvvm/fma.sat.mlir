// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f32, %scale: f32, %offset: f32) {
  %r = nvvm.fma.sat %x, %scale, %offset : f32
  nvvm.return
}
