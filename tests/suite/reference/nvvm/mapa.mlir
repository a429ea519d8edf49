// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%s: !nvvm.ptr<3>, %cta: i32) {
  %p = nvvm.mapa %s of %cta : !nvvm.ptr<3>, i32 -> !nvvm.ptr<7>
  %x = nvvm.ld %p : !nvvm.ptr<7> -> f32
  nvvm.return
}
