// RUN: tile-opt %s --verify-roundtrip

nvvm.func @example() {
  nvvm.barrier
  // 128 of the threads.
  nvvm.barrier id 1 threads 128
  nvvm.return
}
