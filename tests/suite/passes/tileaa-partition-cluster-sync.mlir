// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileaa-partition-cluster=exchange=0 | FileCheck %s
// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileaa-partition-cluster=exchange=0 --verify-diagnostics

// Tiles that begin anywhere may meet those of the iteration before, in another CTA.
// CHECK-LABEL: @anywhere(
// CHECK-SAME: num_ctas = 2
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK: %[[ALL:.*]] = nv_tileaa.cluster_sync %[[T]]
// CHECK: nv_tileaa.tiled_store {{.*}} token %[[ALL]] {{.*}} tensor<32x64xf32>
nv_tileaa.func @anywhere(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = arith.constant dense<1.0> : tensor<64x64xf32>
  %none = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %last = scf.for %i = %zero to %n step %one iter_args(%t = %none) -> (!nv_tileaa.mem_token) : i64 {
    %v = nv_tileaa.tiled_store %x, %b[%i, %i] sizes [%n, %n] strides [%n, %one] token %t {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    scf.continue %v : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// What one CTA releases is what all have stored, and what it acquires all load after that.
// CHECK-LABEL: @lock(
// CHECK-SAME: num_ctas = 2
// CHECK: %[[S:.*]] = nv_tileaa.tiled_store {{.*}} tensor<32x64xf32>
// CHECK: %[[FRONT:.*]] = nv_tileaa.cluster_sync %[[S]]
// CHECK: %[[DONE:.*]] = scf.if
// CHECK: nv_tileaa.atomic_rmw {{.*}} token %[[FRONT]] {{.*}}acq_rel
// CHECK: %[[BEHIND:.*]] = nv_tileaa.cluster_sync %[[DONE]]
// CHECK: nv_tileaa.tiled_load {{.*}} token %[[BEHIND]]
nv_tileaa.func @lock(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %p: !nv_tileaa.ptr<i32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c1 = arith.constant 1 : i32
  %x = arith.constant dense<1.0> : tensor<64x64xf32>
  %s = nv_tileaa.tiled_store %x, %a[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  %old, %t = nv_tileaa.atomic_rmw add %p, %c1 token %s : !nv_tileaa.mem_token {ordering = "acq_rel", scope = "device"} : !nv_tileaa.ptr<i32>, i32 -> i32, !nv_tileaa.mem_token
  %y, %u = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] token %t {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<64x64xf32>
  %v = nv_tileaa.tiled_store %y, %a[%zero, %zero] sizes [%n, %n] strides [%n, %one] token %u {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// A store of what comes out of a load is after it by its value in its own CTA: for the others the load's token comes along.
// CHECK-LABEL: @by_value(
// CHECK-SAME: num_ctas = 2
// CHECK: %[[X:.*]], %[[TX:.*]] = nv_tileaa.tiled_load
// CHECK: %[[NONE:.*]] = nv_tileaa.create_mem_token
// CHECK: %[[BOTH:.*]] = nv_tileaa.join_mem_token %[[NONE]], %[[TX]]
// CHECK: %[[ALL:.*]] = nv_tileaa.cluster_sync %[[BOTH]]
// CHECK: nv_tileaa.tiled_store {{.*}} token %[[ALL]]
nv_tileaa.func @by_value(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<64x64xf32>
  %y = nv_tileaa.permute %x [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %none = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %v = nv_tileaa.tiled_store %y, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] token %none {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Without a token nothing but its value puts it there, so that nothing can make it wait for the others.
// expected-warning @+3 {{tile blocks of 'no_token' have one CTA each, not 2 as hints ask: 'nv_tileaa.tiled_store' may touch what 'nv_tileaa.tiled_load' does before, in another CTA}}
// CHECK-LABEL: @no_token(
// CHECK-NOT: num_ctas
nv_tileaa.func @no_token(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<64x64xf32>
  %y = nv_tileaa.permute %x [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %v = nv_tileaa.tiled_store %y, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Accesses of one location that are partitioned alike need no synchronization.
// CHECK-LABEL: @alike(
// CHECK-SAME: num_ctas = 2
// CHECK-NOT: cluster_sync
nv_tileaa.func @alike(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<64x64xf32>
  %y = arith.addf %x, %x : tensor<64x64xf32>
  %v = nv_tileaa.tiled_store %y, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] token %tx {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
