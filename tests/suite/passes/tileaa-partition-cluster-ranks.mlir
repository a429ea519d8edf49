// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileaa-partition-cluster --verify-diagnostics

// A program that is launched in larger clusters than the kernel may be cannot be launched.
module attributes {tt.cluster_dim = array<i32: 2, 2, 1>} {
  // expected-error @below {{'nv_tileaa.func' op is to be launched in clusters of 4 CTAs ('tt.cluster_dim'), but 'nvvm.maxclusterrank' allows 2}}
  nv_tileaa.func @larger(%b: !nv_tileaa.ptr<i32>, %s: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 4>, nvvm.maxclusterrank = 2 : i32} {
    %u = nv_tileaa.store %b, %s : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    nv_tileaa.return
  }
}

// -----

module attributes {tt.cluster_dim = array<i32: 2, 1, 2>} {
  // expected-warning @below {{tile blocks of 'enough' are computed by the first of 4 CTAs each: each would compute almost all of it}}
  nv_tileaa.func @enough(%b: !nv_tileaa.ptr<i32>, %s: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 4>, nvvm.maxclusterrank = 4 : i32} {
    %u = nv_tileaa.store %b, %s : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    nv_tileaa.return
  }
}
