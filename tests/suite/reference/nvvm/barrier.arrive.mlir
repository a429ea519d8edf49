// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  nvvm.barrier.arrive id 1 threads 128
  nvvm.return
}
