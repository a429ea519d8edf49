// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %s: !nvvm.ptr<3>, %n: i32) {
  nvvm.cp.async %s, %p {size = 16 : i32, cache = "cg"} : !nvvm.ptr<3>, !nvvm.ptr<1>
  // n bytes of 16, then zeros.
  nvvm.cp.async %s + 16, %p + 64 read %n {size = 16 : i32} : !nvvm.ptr<3>, !nvvm.ptr<1>
  nvvm.return
}
