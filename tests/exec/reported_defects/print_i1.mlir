// RUN: tile-run --diff-engines=interp,ptx --entry=k --grid=1 %s | FileCheck %s

// A truth value prints as 1, on both engines.

// CHECK-COUNT-2: [0, 1]

cuda_tile.module @m {
  entry @k() {
    %b = constant <i1: [false, true]> : tile<2xi1>
    %t = print_tko "%d\n", %b : tile<2xi1> -> token
    return
  }
}
