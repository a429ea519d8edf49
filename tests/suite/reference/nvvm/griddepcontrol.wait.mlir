// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>) {
  nvvm.griddepcontrol.wait
  %x = nvvm.ld %p : !nvvm.ptr<1> -> f32
  nvvm.return
}
