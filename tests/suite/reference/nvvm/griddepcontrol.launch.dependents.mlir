// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %x: f32) {
  nvvm.st %p, %x : !nvvm.ptr<1>, f32
  nvvm.griddepcontrol.launch.dependents
  nvvm.return
}
