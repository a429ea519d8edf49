// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  nvvm.fence gpu
  nvvm.return
}
