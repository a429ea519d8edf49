// RUN: tile-opt %s --verify-roundtrip | FileCheck %s

// Barriers of all threads and of some, an arrival that does not wait, a meeting of the lanes of a warp, and registers given back and taken.
// CHECK-LABEL: nvvm.func @barriers
// CHECK: nvvm.barrier{{$}}
// CHECK-NEXT: nvvm.barrier id 3 threads 64
// CHECK-NEXT: nvvm.barrier.arrive id 15 threads 1024
// CHECK-NEXT: nvvm.bar.warp.sync
// CHECK-NEXT: nvvm.setmaxnreg 24
// CHECK-NEXT: nvvm.setmaxnreg more 256
nvvm.func @barriers() {
  nvvm.barrier
  nvvm.barrier id 3 threads 64
  nvvm.barrier.arrive id 15 threads 1024
  nvvm.bar.warp.sync
  nvvm.setmaxnreg 24
  nvvm.setmaxnreg more 256
  nvvm.return
}
