// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %x: i32, %y: i32) {
  %old = nvvm.atom.cas %p, %x, %y {ordering = "acquire", scope = "gpu"} : !nvvm.ptr<1>, i32, i32
  nvvm.return
}
