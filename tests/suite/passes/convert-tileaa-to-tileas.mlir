// RUN: tile-opt %s --split-input-file --convert-tileaa-to-tileas --gpu-name=sm_90 --verify-diagnostics | FileCheck %s

// The operations change their dialect and keep what they say; assumptions, which the facts on accesses hold by now, are dropped.
// CHECK-LABEL: nv_tileas.func @renamed
// CHECK-SAME: (%p: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>
// CHECK-NOT: assume
// CHECK: nv_tileas.tiled_load %p[%{{.*}}] sizes [%n] strides [%{{.*}}] {padding = "zero", bounds = array<i1: true>, base_div = 16 : i64, objects = #nv_tileaa.objects<arg 0>} : !nv_tileas.ptr<f32> -> tensor<64xf32>
// CHECK-NOT: nv_tileaa.{{[a-np-z]}}
nv_tileaa.func @renamed(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %q = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f32>
  %x, %t = nv_tileaa.tiled_load %q[%z] sizes [%n] strides [%one] {padding = "zero", bounds = array<i1: true>, base_div = 16 : i64, objects = #nv_tileaa.objects<arg 0>} : !nv_tileaa.ptr<f32> -> tensor<64xf32>
  %s = nv_tileaa.tiled_store %x, %q[%z] sizes [%n] strides [%one] token %t {bounds = array<i1: true>, objects = #nv_tileaa.objects<arg 0>} : tensor<64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Regions and what they pass on are converted in place; no layout is given yet.
// CHECK-LABEL: nv_tileas.func @regions
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<64xf32>, !nv_tileas.mem_token)
// CHECK-NOT: #nv_tileas.layout
nv_tileaa.func @regions(%p: !nv_tileaa.ptr<f32>, %n: i64, %x: f32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = nv_tileaa.splat %x : f32 -> tensor<64xf32>
  %k = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %r, %l = scf.for %i = %z to %n step %one iter_args(%acc = %a, %t = %k) -> (tensor<64xf32>, !nv_tileaa.mem_token) : i64 {
    %y, %u = nv_tileaa.tiled_load %p[%i] sizes [%n] strides [%one] token %t {padding = "zero", bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<64xf32>
    %b = arith.addf %acc, %y : tensor<64xf32>
    scf.continue %b, %u : tensor<64xf32>, !nv_tileaa.mem_token
  }
  %s = nv_tileaa.tiled_store %r, %p[%z] sizes [%n] strides [%one] token %l {bounds = array<i1: true>} : tensor<64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// A number of warps that the kernel asks for is kept.
// CHECK-LABEL: nv_tileas.func @told
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>
nv_tileaa.func @told(%p: !nv_tileaa.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  nv_tileaa.return
}
