// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%a: f32, %b: f32) {
  %l, %h = nvvm.add.f32x2 %a, %b, %a, %b
  %m, %n = nvvm.add.f32x2 %a, %b, %a, %b ftz
  nvvm.return
}
