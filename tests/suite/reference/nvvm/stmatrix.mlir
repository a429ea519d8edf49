// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%s: !nvvm.ptr<3>, %a: i32, %b: i32) {
  nvvm.stmatrix %s + 64 trans, %a, %b : !nvvm.ptr<3>, i32, i32
  nvvm.return
}
