// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --lower-to=ptx | FileCheck %s --check-prefix=PTX

// The module of a program needs no name; bytecode has no place for one.
// CHECK: module attributes {nv_tileaa.compute_capability = 90 : i32, tt.num_warps = 4 : i32} {
// CHECK-NEXT: cuda_tile.module {
// CHECK-NEXT: entry @noop() {
// PTX: .entry noop()
// PTX-NEXT: .reqntid 128, 1, 1
module attributes {
    nv_tileaa.compute_capability = 90 : i32,
    tt.num_warps = 4 : i32
} {
  cuda_tile.module {
    cuda_tile.entry @noop() {
      cuda_tile.return
    }
  }
}
