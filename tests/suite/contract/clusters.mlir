// RUN: tile-opt %s --split-input-file --convert-cuda-tile-to-tileaa | FileCheck %s

// However clusters are asked for, it is the kernel's spec that says how large they are; an entry's own hint beats those of the module.
// CHECK-LABEL: @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 4>
// CHECK-LABEL: @own() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>
module attributes {tt.cluster_size = [2, 2, 1]} {
  cuda_tile.module @m {
    entry @k() {
      return
    }
    entry @own() optimization_hints=<default = {num_cta_in_cga = 2}> {
      return
    }
  }
}

// -----

// CHECK-LABEL: @k() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 8>
module attributes {tt.num_ctas = 8 : i32} {
  cuda_tile.module @m {
    entry @k() {
      return
    }
  }
}
