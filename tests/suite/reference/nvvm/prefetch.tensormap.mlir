// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%p: !nvvm.ptr<1>, %n: i64, %first: i1) {
  %map = nvvm.tensormap.param %p sizes[%n] strides[] box [64] of 2 : !nvvm.ptr<1> -> !nvvm.ptr<0>
  nvvm.prefetch.tensormap %map if %first : !nvvm.ptr<0>
  nvvm.return
}
