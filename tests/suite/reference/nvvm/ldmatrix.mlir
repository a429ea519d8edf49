// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%s: !nvvm.ptr<3>) {
  %m, %m1 = nvvm.ldmatrix %s + 64 trans : !nvvm.ptr<3> -> i32, i32
  nvvm.return
}
