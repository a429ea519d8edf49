// RUN: tile-opt %s --split-input-file --gpu-name=sm_80 --tileaa-partition-cluster --verify-diagnostics

// What a target lacks is done with one CTA, and said.
// expected-warning @below {{'hint' asks for 2 CTAs for a tile block and gets 1: sm_80 has clusters of at most 1}}
nv_tileaa.func @hint(%b: !nv_tileaa.ptr<i32>, %s: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %u = nv_tileaa.store %b, %s : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// What a program will be launched with is not for the compiler to change.
module attributes {tt.cluster_dim = array<i32: 2, 1, 1>} {
  // expected-error @below {{'nv_tileaa.func' op is to be launched in clusters of 2 CTAs ('tt.cluster_dim'), but sm_80 has at most 1 in a cluster}}
  nv_tileaa.func @fixed(%b: !nv_tileaa.ptr<i32>, %s: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
    %u = nv_tileaa.store %b, %s : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    nv_tileaa.return
  }
}
