// RUN: tile-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{'builtin.module' op attribute 'tt.num_warps' must be a power of two, but got 6}}
module attributes {tt.num_warps = 6 : i32} {
}

// -----

// expected-error @below {{attribute 'tt.num_warps' must be from 1 to 32, but got 64}}
module attributes {tt.num_warps = 64 : i32} {
}

// -----

// expected-error @below {{attribute 'tt.num_warps' must be a 32-bit integer, but got 4 : i64}}
module attributes {tt.num_warps = 4} {
}

// -----

// expected-error @below {{attribute 'nv_tileaa.compute_capability' must be a 32-bit integer, but got "sm_90"}}
module attributes {nv_tileaa.compute_capability = "sm_90"} {
}

// -----

// expected-error @below {{attribute 'nv_tileaa.compute_capability' must be from 10 to 999, but got 9}}
module attributes {nv_tileaa.compute_capability = 9 : i32} {
}

// -----

// expected-error @below {{attribute 'nv_tileaa.target_spec' must be the name of an architecture, as in "sm_90", but got "hopper"}}
module attributes {nv_tileaa.target_spec = "hopper"} {
}

// -----

// expected-error @below {{attribute 'nv_tileaa.compute_capability' contradicts 'nv_tileaa.target_spec': sm_90 and sm_100}}
module attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_100"} {
}

// -----

// expected-error @below {{attribute 'tt.cluster_dim' must be three integers, but got array<i32: 2, 1>}}
module attributes {tt.cluster_dim = array<i32: 2, 1>} {
}

// -----

// expected-error @below {{attribute 'tt.cluster_dim' must be extents from 1 to 16, but got array<i32: 2, 0, 1>}}
module attributes {tt.cluster_dim = array<i32: 2, 0, 1>} {
}

// -----

// expected-error @below {{attribute 'tt.cluster_size' must be at most 16 CTAs, but got 32}}
module attributes {tt.cluster_size = [8, 4, 1]} {
}

// -----

// expected-error @below {{attribute 'tt.cluster_dim' contradicts 'tt.cluster_size': array<i32: 2, 1, 1> and [4 : i64, 1 : i64, 1 : i64]}}
module attributes {tt.cluster_dim = array<i32: 2, 1, 1>, tt.cluster_size = [4, 1, 1]} {
}

// -----

// expected-error @below {{attribute 'tt.num_ctas' contradicts 'tt.cluster_dim': 4 and array<i32: 2, 1, 1>}}
module attributes {tt.cluster_dim = array<i32: 2, 1, 1>, tt.num_ctas = 4 : i32} {
}

// -----

// expected-error @below {{attribute 'tt.num_stages' must be from 1 to 65536, but got 0}}
module attributes {tt.num_stages = 0 : i32} {
}

// -----

// expected-error @below {{attribute 'tt.is_persistent' must be a unit attribute, but got "yes"}}
module attributes {tt.is_persistent = "yes"} {
}

// -----

// Each stands where it belongs.
// expected-error @below {{'builtin.module' op attribute 'nvvm.maxnreg' must stand on a kernel}}
module attributes {nvvm.maxnreg = 128 : i32} {
}

// -----

cuda_tile.module @m {
  // expected-error @below {{'cuda_tile.entry' op attribute 'tt.num_warps' must stand on the outermost 'builtin.module'}}
  entry @k() {
    return
  } {tt.num_warps = 4 : i32}
}

// -----

cuda_tile.module @m {
  // expected-error @below {{attribute 'nvvm.maxnreg' must be from 1 to 255, but got 256}}
  entry @k() {
    return
  } {nvvm.maxnreg = 256 : i32}
}

// -----

cuda_tile.module @m {
  // expected-error @below {{attribute 'nvvm.minctasm' must be from 1 to 32, but got 0}}
  entry @k() {
    return
  } {nvvm.minctasm = 0 : i32}
}

// -----

cuda_tile.module @m {
  // expected-error @below {{attribute 'nvvm.blocksareclusters' must be a unit attribute, but got true}}
  entry @k() {
    return
  } {nvvm.blocksareclusters = true}
}

// -----

module attributes {tt.cluster_dim = array<i32: 2, 1, 1>} {
  cuda_tile.module @m {
    // expected-error @below {{attribute 'nvvm.blocksareclusters' needs clusters of one CTA, but the module asks for 2}}
    entry @k() {
      return
    } {nvvm.blocksareclusters}
  }
}

// -----

// What the lowering attaches, a front end does not.
cuda_tile.module @m {
  // expected-error @below {{attribute 'nvvm.kernel' is attached by the lowering, and must not be given}}
  entry @k() {
    return
  } {nvvm.kernel}
}

// -----

cuda_tile.module @m {
  // expected-error @below {{attribute 'nv_tileaa.kernel_spec' is attached by the lowering, and must not be given}}
  entry @k() {
    return
  } {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>}
}
