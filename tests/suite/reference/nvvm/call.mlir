// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%f: !nvvm.ptr<0>, %a: !nvvm.ptr<0>, %i: i32) {
  %r = nvvm.call "vprintf"(%f, %a) : !nvvm.ptr<0>, !nvvm.ptr<0> -> i32
  nvvm.call "f"(%i) : i32
  nvvm.return
}
