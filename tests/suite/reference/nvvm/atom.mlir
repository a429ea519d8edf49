// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %x: i32, %c: i1) {
  %old = nvvm.atom add %p, %x {scope = "gpu"} : !nvvm.ptr<1>, i32
  %older = nvvm.atom umax %p + 4, %x if %c {ordering = "acq_rel", scope = "sys"} : !nvvm.ptr<1>, i32
  nvvm.return
}
