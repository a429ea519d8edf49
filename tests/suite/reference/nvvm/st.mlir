// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %c: i1, %x: f32) {
  nvvm.st %p, %x : !nvvm.ptr<1>, f32
  nvvm.st %p + 16, %x, %x if %c {cache = "cs"} : !nvvm.ptr<1>, f32, f32
  nvvm.st %p, %x {ordering = "release", scope = "gpu"} : !nvvm.ptr<1>, f32
  nvvm.return
}
