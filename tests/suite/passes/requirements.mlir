// RUN: tile-opt %s --convert-tileas-to-nvvm --gpu-name=sm_90 --verify-diagnostics
// RUN: not tile-opt %s --convert-tileas-to-nvvm --gpu-name=sm_90 2>&1 | FileCheck %s

// What a pass requires and the input lacks is an error at the operation that lacks it, also under --verify-diagnostics, where a failure without any was once a success.
// CHECK: requirements.mlir:{{.*}}: error: 'nv_tileas.store' op conflicts with an access of other threads
// CHECK: tile-opt: error: pass 'convert-tileas-to-nvvm' requires 'synchronised'
nv_tileas.func @k(%p: !nv_tileas.ptr<i32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  // expected-note@+1 {{the earlier access}}
  %x, %t = nv_tileas.load %p : !nv_tileas.ptr<i32> -> i32, !nv_tileas.mem_token
  // expected-error@+1 {{conflicts with an access of other threads}}
  %u = nv_tileas.store %p, %x token %t : !nv_tileas.mem_token : !nv_tileas.ptr<i32>, i32 -> !nv_tileas.mem_token
  nv_tileas.return
}
