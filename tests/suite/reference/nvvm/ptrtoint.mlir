// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %s: !nvvm.ptr<3>) {
  %x = nvvm.ptrtoint %p : !nvvm.ptr<1> -> i64
  %y = nvvm.ptrtoint %s : !nvvm.ptr<3> -> i32
  nvvm.return
}
