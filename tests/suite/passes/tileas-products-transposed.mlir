// RUN: tile-opt %s --tileas-assign-layouts --tileas-remove-layout-conversions --tileas-plan-copies --tileas-materialize-copies --tileas-make-async-mma --gpu-name=sm_90 | FileCheck %s
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_90 -O3 | FileCheck %s --check-prefix=LOOP

// What no descriptor describes is multiplied from registers. Of bytes along the columns of B that is the MMA of the transposes, which has B as its A: ldmatrix and prmt bring them there, in pairs of columns.
// CHECK-LABEL: nv_tileas.func @columns
// CHECK: %[[B:.*]] = nv_tileas.local_load
// CHECK-NOT: nv_tileas.local_store
// CHECK: nv_tileas.dot_async %{{.*}}, %[[B]], %{{.*}} {mma = #nv_tileas.mma<wgmma, m64n32k32, warps = [4, 1], interleave = [2, 1], transposed>} : !nv_tileas.buffer<32x64xi8, {{.*}}>, tensor<64x128xi8, {{.*}}> -> tensor<32x128xi32, {{.*}}>
nv_tileas.func @columns(%p: !nv_tileas.ptr<i8>, %q: !nv_tileas.ptr<i8>, %r: !nv_tileas.ptr<i32>, %n: i64, %m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0> : tensor<32x128xi32>
  %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<32x64xi8>
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x128xi8>
  %d = nv_tileas.dot %a, %b, %c : tensor<32x64xi8>, tensor<64x128xi8> -> tensor<32x128xi32>
  %u = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x128xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}

// Along the rows of A it is the MMA itself.
// CHECK-LABEL: nv_tileas.func @rows
// CHECK: %[[A:.*]] = nv_tileas.local_load
// CHECK-NOT: nv_tileas.local_store
// CHECK: nv_tileas.dot_async %[[A]], %{{.*}}, %{{.*}} {mma = #nv_tileas.mma<wgmma, m64n32k32, warps = [4, 1], interleave = [2, 1]>} : tensor<64x64xf8E4M3FN, {{.*}}>, !nv_tileas.buffer<64x32xf8E4M3FN, {{.*}}> -> tensor<64x32xf32, {{.*}}>
nv_tileas.func @rows(%p: !nv_tileas.ptr<f8E4M3FN>, %q: !nv_tileas.ptr<f8E4M3FN>, %r: !nv_tileas.ptr<f32>, %n: i64, %m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<64x32xf32>
  %a0, %a0t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %b0, %b0t = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<32x64xf8E4M3FN>
  %a = nv_tileas.permute %a0 [1, 0] : tensor<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %b = nv_tileas.permute %b0 [1, 0] : tensor<32x64xf8E4M3FN> -> tensor<64x32xf8E4M3FN>
  %d = nv_tileas.dot %a, %b, %c : tensor<64x64xf8E4M3FN>, tensor<64x32xf8E4M3FN> -> tensor<64x32xf32>
  %u = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Where both lie so, threads sort the other one as well, and store it along the depth. A thread has four neighbours in a register then.
// CHECK-LABEL: nv_tileas.func @both
// CHECK-DAG: %[[A:.*]] = nv_tileas.local_load %{{.*}} -> tensor<128x64xi8
// CHECK-DAG: %[[B:.*]] = nv_tileas.local_load %{{.*}} -> tensor<64x64xi8
// CHECK: nv_tileas.local_store %[[B]], %[[S:.*]] : tensor<64x64xi8
// CHECK: nv_tileas.fence_async
// CHECK: nv_tileas.dot_async %[[A]], %[[S]], %{{.*}} {mma = #nv_tileas.mma<wgmma, m64n64k32, warps = [4, 1], interleave = [2, 2]>}
nv_tileas.func @both(%p: !nv_tileas.ptr<i8>, %q: !nv_tileas.ptr<i8>, %r: !nv_tileas.ptr<i32>, %n: i64, %m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0> : tensor<128x64xi32>
  %a0, %a0t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x128xi8>
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x64xi8>
  %a = nv_tileas.permute %a0 [1, 0] : tensor<64x128xi8> -> tensor<128x64xi8>
  %d = nv_tileas.dot %a, %b, %c : tensor<128x64xi8>, tensor<64x64xi8> -> tensor<128x64xi32>
  %u = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x64xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}

// Elements of 16 bits are described either way, and bytes along the depth: neither passes registers, and nothing is transposed.
// CHECK-LABEL: nv_tileas.func @described
// CHECK-NOT: transposed
// CHECK-COUNT-2: nv_tileas.dot_async {{.*}} : !nv_tileas.buffer<{{.*}}>, !nv_tileas.buffer<
// CHECK: nv_tileas.return
nv_tileas.func @described(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64, %m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %a0, %a0t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %a = nv_tileas.permute %a0 [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %d = nv_tileas.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %v = nv_tileas.ptr_to_ptr %p : !nv_tileas.ptr<f16> -> !nv_tileas.ptr<f8E4M3FN>
  %e, %et = nv_tileas.tiled_load %v[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %f0, %f0t = nv_tileas.tiled_load %v[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %f = nv_tileas.permute %f0 [1, 0] : tensor<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
  %g = nv_tileas.dot %e, %f, %d : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
  %u = nv_tileas.tiled_store %g, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// The registers are the MMA's until it is done: the one of the turn before is waited for in front of what writes them.
// LOOP-LABEL: nv_tileas.func @loop
// LOOP: scf.for
// LOOP: nv_tileas.dot_wait {pending = 0 : i32}
// LOOP: %[[B:.*]] = nv_tileas.local_load
// LOOP-NOT: nv_tileas.dot_wait
// LOOP: nv_tileas.dot_async %{{.*}}, %[[B]], %{{.*}} transposed
// LOOP: scf.continue
nv_tileas.func @loop(%p: !nv_tileas.ptr<i8>, %q: !nv_tileas.ptr<i8>, %r: !nv_tileas.ptr<i32>, %n: i64, %m: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %k = arith.constant 64 : i64
  %c = arith.constant dense<0> : tensor<64x64xi32>
  %s = scf.for %i = %i0 to %m step %i1 iter_args(%acc = %c) -> (tensor<64x64xi32>) : i32 {
    %w = arith.extui %i : i32 to i64
    %place = arith.muli %w, %k : i64
    %a, %at = nv_tileas.tiled_load %p[%z, %place] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x64xi8>
    %b, %bt = nv_tileas.tiled_load %q[%place, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<i8> -> tensor<64x64xi8>
    %d = nv_tileas.dot %a, %b, %acc : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
    scf.continue %d : tensor<64x64xi32>
  }
  %u = nv_tileas.tiled_store %s, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xi32>, !nv_tileas.ptr<i32>
  nv_tileas.return
}
