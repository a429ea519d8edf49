// RUN: tile-opt %s --split-input-file --lower-to=ptx | FileCheck %s
// RUN: not tile-opt %s --split-input-file --lower-to=ptx --gpu-name=sm_121 2>&1 | FileCheck %s --check-prefix=ALL

// ALL: the module is for 'sm_80' (nv_tileaa.target_spec = "sm_80"), but --gpu-name is 'sm_121'
// ALL: the module is for 'sm_90' (nv_tileaa.target_spec = "sm_90a"), but --gpu-name is 'sm_121'

// A target without clusters has no directives for them.
// CHECK: .target sm_80
// CHECK-NOT: cluster
// CHECK: ret;
module attributes {nv_tileaa.target_spec = "sm_80"} {
  cuda_tile.module @m {
    entry @k() {
      return
    } {nvvm.blocksareclusters, nvvm.maxclusterrank = 2 : i32}
  }
}

// -----

// CHECK: .target sm_90
// CHECK: .entry l(
module attributes {nv_tileaa.target_spec = "sm_90a"} {
  cuda_tile.module @m {
    entry @l() {
      return
    }
  }
}
