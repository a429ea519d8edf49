// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  %p = nvvm.local_alloc 16 align 8 : !nvvm.ptr<5>
  nvvm.return
}
