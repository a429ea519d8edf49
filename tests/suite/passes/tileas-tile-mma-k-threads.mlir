// RUN: tile-opt %s --tileas-assign-layouts --tileas-plan-copies --tileas-materialize-copies --tileas-tile-mma-k --gpu-name=sm_80 | FileCheck %s
// RUN: tile-opt %s --tileas-assign-layouts --tileas-plan-copies --tileas-materialize-copies --tileas-tile-mma-k --tileas-schedule-loops --gpu-name=sm_80 --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --lower-to=tileas --gpu-name=sm_80 | FileCheck %s --check-prefix=BARRIER
// RUN: tile-opt %s --lower-to=ptx --gpu-name=sm_80 | FileCheck %s --check-prefix=PTX

// A product of f32 is a loop over its depth: a turn loads four columns of A and four rows of B and adds 8 x 16 products of each. For the loop around it this is one operation, beside which copies run ahead;
// it meets other warps in front of it alone, and code is that of one turn.
// CHECK-LABEL: nv_tileas.func @product
// CHECK: nv_tileas.wait_group 0
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[S:.*]] = %{{.*}})
// CHECK-NEXT: %[[A:.*]] = nv_tileas.local_load %{{.*}} from [0, 0] + %[[K]] along 1 : !nv_tileas.buffer<128x32xf32, #{{.*}}> -> tensor<128x4xf32, #{{.*}}>
// CHECK-NEXT: %[[B:.*]] = nv_tileas.local_load %{{.*}} from [0, 0] + %[[K]] along 0 : !nv_tileas.buffer<32x128xf32, #{{.*}}> -> tensor<4x128xf32, #{{.*}}>
// CHECK-NEXT: %[[D:.*]] = nv_tileas.dot %[[A]], %[[B]], %[[S]]
// CHECK-NEXT: scf.continue %[[D]]
// REMARK: remark: loop pipelined: {{.*}} prefetch distance 1
// REMARK-NOT: remark: loop not pipelined
// BARRIER-LABEL: nv_tileas.func @product
// BARRIER: scf.for
// BARRIER: nv_tileas.barrier
// BARRIER-NOT: nv_tileas.barrier
// BARRIER: scf.for
// BARRIER-NOT: nv_tileas.barrier
// BARRIER: scf.continue
// PTX-LABEL: .entry product
// PTX: ld.shared.v4.f32
// PTX-COUNT-512: fma.rn.f32
// PTX-NOT: fma.rn.f32
// PTX-LABEL: .entry straight
nv_tileas.func @product(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %r: !nv_tileas.ptr<f32>, %steps: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 128 : i64
  %k = arith.constant 32 : i64
  %deep = arith.constant 4096 : i64
  %first = arith.constant 0 : i32
  %by = arith.constant 1 : i32
  %start = nv_tileas.create_mem_token : !nv_tileas.mem_token
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %first to %steps step %by iter_args(%acc = %none) -> (tensor<128x128xf32>) : i32 {
    %w = arith.extsi %i : i32 to i64
    %at = arith.muli %w, %k : i64
    %a, %t = nv_tileas.tiled_load %p[%z, %at] sizes [%n, %deep] strides [%deep, %one] token %start {padding = "zero", bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 128, 32>, size_div = array<i64: 128, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<128x32xf32>
    %b, %u = nv_tileas.tiled_load %q[%at, %z] sizes [%deep, %n] strides [%n, %one] token %start {padding = "zero", bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 32, 128>, size_div = array<i64: 16, 128>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<32x128xf32>
    %d = nv_tileas.dot %a, %b, %acc : tensor<128x32xf32>, tensor<32x128xf32> -> tensor<128x128xf32>
    scf.continue %d : tensor<128x128xf32>
  }
  %t = nv_tileas.tiled_store %sum, %r[%z, %z] sizes [%n, %n] strides [%n, %one] token %start {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Little work is done step by step, without a loop.
// CHECK-LABEL: nv_tileas.func @straight
// CHECK-NOT: scf.for
// CHECK: nv_tileas.local_load %{{.*}} from [0, 0] : !nv_tileas.buffer<32x16xf32, #{{.*}}> -> tensor<32x4xf32, #{{.*}}>
// CHECK: nv_tileas.local_load %{{.*}} from [0, 12] : !nv_tileas.buffer<32x16xf32, #{{.*}}> -> tensor<32x4xf32, #{{.*}}>
// CHECK: nv_tileas.return
nv_tileas.func @straight(%p: !nv_tileas.ptr<f32>, %q: !nv_tileas.ptr<f32>, %r: !nv_tileas.ptr<f32>) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 32 : i64
  %k = arith.constant 16 : i64
  %none = arith.constant dense<0.0> : tensor<32x32xf32>
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %k] strides [%k, %one] {padding = "zero", bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 32, 16>, size_div = array<i64: 32, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<32x16xf32>
  %b, %u = nv_tileas.tiled_load %q[%z, %z] sizes [%k, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: false, false>, base_div = 16 : i64, offset_div = array<i64: 16, 32>, size_div = array<i64: 16, 32>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f32> -> tensor<16x32xf32>
  %d = nv_tileas.dot %a, %b, %none : tensor<32x16xf32>, tensor<16x32xf32> -> tensor<32x32xf32>
  %s = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<32x32xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Operands that are computed go to shared memory for it, in front of the loop.
// CHECK-LABEL: nv_tileas.func @computed
// CHECK-DAG: nv_tileas.local_store %{{.*}}, %{{.*}} : tensor<64x64xf32, #{{.*}}>, !nv_tileas.buffer<64x64xf32, #{{.*}}>
// CHECK: scf.for
// CHECK: nv_tileas.local_load {{.*}} along 1
// CHECK: nv_tileas.local_load {{.*}} along 0
// CHECK: nv_tileas.dot
// CHECK: scf.continue
nv_tileas.func @computed(%p: !nv_tileas.ptr<f32>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32>
  %b = arith.addf %a, %a : tensor<64x64xf32>
  %d = nv_tileas.dot %b, %b, %none : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %s = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// Two products, as two versions of a loop have them, take one buffer of the factor that they share.
// CHECK-LABEL: nv_tileas.func @shared_factor
// CHECK: nv_tileas.local_store %{{.*}}, %[[F:.*]] : tensor<64x64xf32, #{{.*}}>, !nv_tileas.buffer<64x64xf32, #{{.*}}>
// CHECK: scf.if
// CHECK: scf.for
// CHECK: nv_tileas.local_load %[[F]] from {{.*}} along 1
// CHECK: } else {
// CHECK: scf.for
// CHECK: nv_tileas.local_load %[[F]] from {{.*}} along 1
nv_tileas.func @shared_factor(%p: !nv_tileas.ptr<f32>, %r: !nv_tileas.ptr<f32>, %n: i64, %fast: i1) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %a, %t = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32>
  %b = arith.addf %a, %a : tensor<64x64xf32>
  %d = scf.if %fast -> (tensor<64x64xf32>) {
    %x, %u = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: false, false>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32>
    %v = nv_tileas.dot %b, %x, %none : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %v : tensor<64x64xf32>
  } else {
    %x, %u = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f32> -> tensor<64x64xf32>
    %v = nv_tileas.dot %b, %x, %none : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
    scf.yield %v : tensor<64x64xf32>
  }
  %s = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
