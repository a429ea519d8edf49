// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  nvvm.barrier
  nvvm.return
}
