// What hints ask for is one record on the kernel, at every level below, and says there why the directives are what they are.
// RUN: tile-opt %s --lower-to=tileaa | FileCheck %s --check-prefixes=CHECK,TILEAA
// RUN: tile-opt %s --lower-to=tileas | FileCheck %s --check-prefixes=CHECK,BELOW
// RUN: tile-opt %s --lower-to=nvvm | FileCheck %s --check-prefixes=CHECK,BELOW
// RUN: tile-opt %s --lower-to=nvvm --mlir-print-op-generic | tile-opt - | FileCheck %s --check-prefixes=CHECK,BELOW
// RUN: tile-opt %s --lower-to=tileaa | tile-opt - --lower-to=tileas | tile-opt - --lower-to=nvvm | tile-opt - --lower-to=ptx | FileCheck %s --check-prefix=PTX

module attributes {nv_tileaa.compute_capability = 90 : i32, tt.is_persistent = true, tt.num_stages = 2 : i32} {
  cuda_tile.module @m {
    // CHECK: func @asks_nothing() attributes {
    // TILEAA-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_stages = 2, persistent>
    // BELOW-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_stages = 2, persistent>
    // PTX: .entry asks_nothing()
    // PTX-NEXT: .reqntid 32, 1, 1
    // PTX-NEXT: .minnctapersm 1
    // PTX-NEXT: {
    entry @asks_nothing() {
      return
    }
    // The optimization hint wins over the attribute.
    // CHECK: func @asks() attributes {
    // CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 16, occupancy = 2, num_stages = 2, persistent>
    // PTX: .entry asks()
    // PTX-NEXT: .reqntid 512, 1, 1
    // PTX-NEXT: .minnctapersm 1
    // PTX-NEXT: .maxnreg 64
    entry @asks() optimization_hints=<default = {num_worker_warps_per_cta = 4, occupancy = 2}, sm_90 = {num_worker_warps_per_cta = 16}> {
      return
    } {nv_tileaa.occupancy = 4 : i32}
    // Names of the record's fields that a front end used for itself stay behind.
    // CHECK: func @foreign() attributes {
    // BELOW-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, occupancy = 4, num_stages = 2, persistent>, {{.*}}note = "kept"
    // BELOW-NOT: num_stages = 9
    // PTX: .entry foreign()
    // PTX-NEXT: .reqntid 32, 1, 1
    // PTX-NEXT: .minnctapersm 1
    // PTX-NEXT: .maxnreg 128
    entry @foreign() {
      return
    } {nv_tileaa.occupancy = 4 : i32, note = "kept", num_ctas = 2 : i32, num_stages = 9 : i32, persistent}
  }
}

