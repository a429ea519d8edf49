// RUN: tile-opt %s --convert-cuda-tile-to-tileaa=compute-capability=90 | FileCheck %s
// RUN: tile-opt %s --convert-cuda-tile-to-tileaa | FileCheck %s
// RUN: not tile-opt %s --convert-cuda-tile-to-tileaa=compute-capability=100 2>&1 | FileCheck %s --check-prefix=OTHER

// The conversion writes the capability beside the name of the target. As an option it must be that of the target.
// CHECK: module attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90a"}
// OTHER: capability.mlir:8:1: error: 'builtin.module' op is converted for sm_90, but option compute-capability is 100
module attributes {nv_tileaa.target_spec = "sm_90a"} {
  cuda_tile.module @m {
    entry @k() {
      return
    }
  }
}
