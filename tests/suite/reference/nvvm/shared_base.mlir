// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  %s = nvvm.shared_base : !nvvm.ptr<3>
  nvvm.return
}
