// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example(%x: i64) {
  %p = nvvm.inttoptr %x : i64 -> !nvvm.ptr<1>
  nvvm.return
}
