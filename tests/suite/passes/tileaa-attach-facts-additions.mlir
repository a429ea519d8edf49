// RUN: tile-opt %s --tileaa-attach-facts --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --tileaa-attach-facts --gpu-name=sm_80 | FileCheck %s --check-prefix=SCALAR

// Additions of floats have vectors from sm_90 on, if nobody reads what was there and nothing is acquired.
// SCALAR-NOT: runs
// CHECK-LABEL: nv_tileaa.func @additions
// CHECK: atomic_rmw addf {{.*}}runs = array<i64: 4>
// CHECK: atomic_rmw addf {{.*}}runs = array<i64: 4>
// CHECK-LABEL: nv_tileaa.func @unchanged_others
// CHECK-NOT: runs
// CHECK: nv_tileaa.return
nv_tileaa.func @additions(%p: !nv_tileaa.ptr<f32>) {
  %x = arith.constant dense<1.0> : tensor<64xf32>
  %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f32>
  %s = nv_tileaa.splat %a : !nv_tileaa.ptr<f32> -> tensor<64x!nv_tileaa.ptr<f32>>
  %i = nv_tileaa.make_range : tensor<64xi32>
  %ptrs = nv_tileaa.addptr %s, %i : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xi32>
  %o, %t = nv_tileaa.atomic_rmw addf %ptrs, %x {ordering = "relaxed", scope = "device"} : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32> -> tensor<64xf32>, !nv_tileaa.mem_token
  %n = arith.constant dense<60> : tensor<64xi32>
  %m = arith.cmpi slt, %i, %n : tensor<64xi32>
  %o2, %t2 = nv_tileaa.atomic_rmw addf %ptrs, %x mask %m : tensor<64xi1> {ordering = "release", scope = "device"} : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32> -> tensor<64xf32>, !nv_tileaa.mem_token
  nv_tileaa.return
}

nv_tileaa.func @unchanged_others(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<i32>, %d: !nv_tileaa.ptr<f64>) {
  %x = arith.constant dense<1.0> : tensor<64xf32>
  %y = arith.constant dense<1> : tensor<64xi32>
  %z = arith.constant dense<1.0> : tensor<64xf64>
  %a = nv_tileaa.assume %p div_by<16> : !nv_tileaa.ptr<f32>
  %b = nv_tileaa.assume %q div_by<16> : !nv_tileaa.ptr<i32>
  %c = nv_tileaa.assume %d div_by<16> : !nv_tileaa.ptr<f64>
  %i = nv_tileaa.make_range : tensor<64xi32>
  %s = nv_tileaa.splat %a : !nv_tileaa.ptr<f32> -> tensor<64x!nv_tileaa.ptr<f32>>
  %fs = nv_tileaa.addptr %s, %i : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xi32>
  %u = nv_tileaa.splat %b : !nv_tileaa.ptr<i32> -> tensor<64x!nv_tileaa.ptr<i32>>
  %is = nv_tileaa.addptr %u, %i : tensor<64x!nv_tileaa.ptr<i32>>, tensor<64xi32>
  %v = nv_tileaa.splat %c : !nv_tileaa.ptr<f64> -> tensor<64x!nv_tileaa.ptr<f64>>
  %ds = nv_tileaa.addptr %v, %i : tensor<64x!nv_tileaa.ptr<f64>>, tensor<64xi32>
  %o, %t = nv_tileaa.atomic_rmw addf %fs, %x {ordering = "acq_rel", scope = "device"} : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32> -> tensor<64xf32>, !nv_tileaa.mem_token
  %o2, %t2 = nv_tileaa.atomic_rmw add %is, %y {ordering = "relaxed", scope = "device"} : tensor<64x!nv_tileaa.ptr<i32>>, tensor<64xi32> -> tensor<64xi32>, !nv_tileaa.mem_token
  %o3, %t3 = nv_tileaa.atomic_rmw addf %ds, %z {ordering = "relaxed", scope = "device"} : tensor<64x!nv_tileaa.ptr<f64>>, tensor<64xf64> -> tensor<64xf64>, !nv_tileaa.mem_token
  %o4, %t4 = nv_tileaa.atomic_rmw addf %fs, %x {ordering = "relaxed", scope = "device"} : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32> -> tensor<64xf32>, !nv_tileaa.mem_token
  %t5 = nv_tileaa.store %fs, %o4 {ordering = "relaxed", scope = "device"} : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32> -> !nv_tileaa.mem_token
  nv_tileaa.return
}
