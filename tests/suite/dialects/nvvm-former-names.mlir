// Names of one release ago are read, and printed as they are today.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: @mma
nvvm.func @mma(%t: i32, %w: i64, %add: i1) {
  // CHECK: nvvm.tcgen05.mma "f16"
  // GENERIC: "nvvm.tcgen05.mma"({{.*}}) <{mma_kind = "f16"}>
  "nvvm.tcgen05.mma"(%t, %w, %w, %t, %add) {product = "f16"} : (i32, i64, i64, i32, i1) -> ()
  nvvm.return
}
