// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %n: i64) {
  %q = nvvm.ptradd %p, %n : !nvvm.ptr<1>, i64
  nvvm.return
}
