// RUN: tile-opt %s --split-input-file --convert-tileaa-to-tileas --gpu-name=sm_90 | FileCheck %s

// Names and the types of the dialect change, also as elements of tensors and arguments of regions; attributes, names and structure stay. Assumptions go.
// CHECK-LABEL: nv_tileas.func @renamed(%p: !nv_tileas.ptr<f32>, %n: i32)
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>
// CHECK-NOT: assume
// CHECK: %s = nv_tileas.splat %p : !nv_tileas.ptr<f32> -> tensor<128x!nv_tileas.ptr<f32>>
// CHECK: %k = nv_tileas.create_mem_token : !nv_tileas.mem_token
// CHECK: scf.for %i = %{{.*}} to %n step %{{.*}} iter_args(%c = %k) -> (!nv_tileas.mem_token) : i32
// CHECK: nv_tileas.load %s token %c : !nv_tileas.mem_token : tensor<128x!nv_tileas.ptr<f32>>
// CHECK: scf.continue %{{.*}} : !nv_tileas.mem_token
// CHECK: nv_tileas.return
// CHECK-NOT: nv_tileaa.{{[a-np-z]}}
nv_tileaa.func @renamed(%p: !nv_tileaa.ptr<f32>, %n: i32) {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f32>
  %s = nv_tileaa.splat %a : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
  %k = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %r = scf.for %i = %z to %n step %one iter_args(%c = %k) -> (!nv_tileaa.mem_token) : i32 {
    %x, %t = nv_tileaa.load %s token %c : !nv_tileaa.mem_token : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>, !nv_tileaa.mem_token
    scf.continue %t : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// A number of warps that the kernel has stays; globals come along, in their place.
// CHECK: nv_tileas.global @g
// CHECK: nv_tileas.func @asked
// CHECK-SAME: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>
nv_tileaa.global @g = dense<1> : tensor<4xi32>
nv_tileaa.func @asked() attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8>} {
  nv_tileaa.return
}
