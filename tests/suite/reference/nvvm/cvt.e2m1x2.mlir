// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: f32, %y: f32) {
  %halves = nvvm.cvt.e2m1x2 %x, %y
  nvvm.return
}
