// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt - | FileCheck %s

// What a front end says about target and launch stays on module and entries.
// CHECK: module @program attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a", tt.cluster_dim = array<i32: 2, 1, 1>,
// CHECK-SAME: tt.cluster_size = [2 : i32, 1 : i32, 1 : i32], tt.dump_intermediate, tt.is_persistent = true, tt.num_ctas = 2 : i32, tt.num_stages = 3 : i32, tt.num_warps = 8 : i32} {
module @program attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.target_spec = "sm_100a", tt.num_warps = 8 : i32, tt.num_ctas = 2 : i32,
    tt.cluster_dim = array<i32: 2, 1, 1>, tt.cluster_size = [2 : i32, 1 : i32, 1 : i32], tt.num_stages = 3 : i32, tt.is_persistent = true, tt.dump_intermediate} {
  cuda_tile.module @m {
    // CHECK: entry @k() {
    // CHECK-NEXT: return
    // CHECK-NEXT: } {nv_tileaa.occupancy = 2 : i32, nvvm.maxclusterrank = 4 : i32, nvvm.maxnreg = 128 : i32, nvvm.minctasm = 3 : i32}
    entry @k() {
      return
    } {nvvm.maxnreg = 128 : i32, nvvm.minctasm = 3 : i32, nvvm.maxclusterrank = 4 : i32, nv_tileaa.occupancy = 2 : i32}
    // Attributes of others pass.
    // CHECK: {myfrontend.num_warps = 3 : i32, nvvm.later = "x"}
    entry @other() {
      return
    } {nvvm.later = "x", myfrontend.num_warps = 3 : i32}
  }
}
