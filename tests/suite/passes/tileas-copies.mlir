// RUN: tile-opt %s --tileas-legalize-dot --tileas-assign-layouts --tileas-remove-layout-conversions --tileas-plan-copies --gpu-name=sm_80 | FileCheck %s --check-prefix=PLAN
// RUN: tile-opt %s --tileas-legalize-dot --tileas-assign-layouts --tileas-remove-layout-conversions --tileas-plan-copies --tileas-materialize-copies --tileas-materialize-convert-layout --tileas-allocate-shared --tileas-insert-barriers --gpu-name=sm_80 | FileCheck %s

// Both operands go to shared memory by copies of their own groups, which one wait is for; one barrier, and ldmatrix reads them.
// PLAN-LABEL: nv_tileas.func @both
// PLAN-COUNT-2: nv_tileas.tiled_load {{.*}}nv_tileas.transfer = "cp.async"
// CHECK-LABEL: nv_tileas.func @both
// CHECK: nv_tileas.copy_async %[[A:.*]], %p
// CHECK-NEXT: %[[G:.*]] = nv_tileas.commit_group
// CHECK: nv_tileas.copy_async %[[B:.*]], %q
// CHECK-NEXT: %[[H:.*]] = nv_tileas.commit_group
// CHECK: nv_tileas.wait_group 0 for %[[G]], %[[H]]
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.local_load %[[A]]
// CHECK-NEXT: nv_tileas.local_load %[[B]]
// CHECK-NEXT: nv_tileas.dot
nv_tileas.func @both(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %k = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %a, %at = nv_tileas.tiled_load %p[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %b, %bt = nv_tileas.tiled_load %q[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %d = nv_tileas.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %t = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A transposed operand is a view of its buffer.
// PLAN-LABEL: nv_tileas.func @transposed
// PLAN-COUNT-2: nv_tileas.transfer = "cp.async"
// CHECK-LABEL: nv_tileas.func @transposed
// CHECK: nv_tileas.copy_async
// CHECK: nv_tileas.copy_async %[[B:.*]], %q
// CHECK: %[[V:.*]] = nv_tileas.buffer_permute %[[B]] [1, 0]
// CHECK: nv_tileas.local_load %[[V]]
// CHECK-NOT: nv_tileas.local_store
// CHECK: nv_tileas.dot
nv_tileas.func @transposed(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %k = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %a, %at = nv_tileas.tiled_load %p[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %b0, %b0t = nv_tileas.tiled_load %q[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %b = nv_tileas.permute %b0 [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %d = nv_tileas.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %t = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// What is loaded in front of the loop is waited for there; in the loop a barrier keeps the next copy behind the reads.
// CHECK-LABEL: nv_tileas.func @looped
// CHECK: nv_tileas.copy_async {{.*}}, %p
// CHECK: nv_tileas.wait_group 0
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.local_load
// CHECK: scf.for
// CHECK: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.copy_async {{.*}}, %q
// CHECK: nv_tileas.wait_group 0
// CHECK-NEXT: nv_tileas.barrier
// CHECK-NEXT: nv_tileas.local_load
// CHECK: scf.continue
nv_tileas.func @looped(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %k = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %a, %at = nv_tileas.tiled_load %p[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %lo = arith.constant 0 : i32
  %hi = arith.constant 4 : i32
  %st = arith.constant 1 : i32
  %sum = scf.for %i = %lo to %hi step %st iter_args(%acc = %c) -> (tensor<64x64xf32>) : i32 {
  %b, %bt = nv_tileas.tiled_load %q[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
    %d0 = nv_tileas.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.continue %d0 : tensor<64x64xf32>
  }
  %t = nv_tileas.tiled_store %sum, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// What something else takes must pass registers.
// PLAN-LABEL: nv_tileas.func @shared_use
// PLAN: nv_tileas.tiled_load %p{{.*}}nv_tileas.rejected = "cp.async: 'arith.addf' takes the tile too", nv_tileas.transfer = "registers"
// PLAN: nv_tileas.tiled_load %q{{.*}}nv_tileas.transfer = "cp.async"
nv_tileas.func @shared_use(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %k = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %a, %at = nv_tileas.tiled_load %p[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %b, %bt = nv_tileas.tiled_load %q[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %twice = arith.addf %a, %a : tensor<64x64xf16>
  %u = nv_tileas.tiled_store %twice, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileas.ptr<f16>
  %d = nv_tileas.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %t = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// In a loop a copy of it is prefetched all the same, and threads load from its buffer what they compute with.
// PLAN-LABEL: nv_tileas.func @shared_use_in_a_loop
// PLAN: nv_tileas.tiled_load %q{{.*}}nv_tileas.transfer = "cp.async"
// CHECK-LABEL: nv_tileas.func @shared_use_in_a_loop
// CHECK: scf.for
// CHECK: nv_tileas.copy_async %[[B:.*]], %q
// CHECK: %[[AGAIN:.*]] = nv_tileas.local_load %[[B]]
// CHECK: arith.addf %[[AGAIN]], %[[AGAIN]]
// CHECK: %[[OPERAND:.*]] = nv_tileas.local_load %[[B]]
// CHECK: nv_tileas.dot %{{.*}}, %[[OPERAND]]
nv_tileas.func @shared_use_in_a_loop(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %k = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %a, %at = nv_tileas.tiled_load %p[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %lo = arith.constant 0 : i32
  %hi = arith.constant 4 : i32
  %st = arith.constant 1 : i32
  %sum = scf.for %i = %lo to %hi step %st iter_args(%acc = %c) -> (tensor<64x64xf32>) : i32 {
    %b, %bt = nv_tileas.tiled_load %q[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
    %twice = arith.addf %b, %b : tensor<64x64xf16>
    %u = nv_tileas.tiled_store %twice, %p[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileas.ptr<f16>
    %d0 = nv_tileas.dot %a, %b, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.continue %d0 : tensor<64x64xf32>
  }
  %t = nv_tileas.tiled_store %sum, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// So must what is not known to be aligned, and what is not padded with zeros.
// PLAN-LABEL: nv_tileas.func @facts
// PLAN: nv_tileas.tiled_load %p{{.*}}nv_tileas.rejected = "cp.async: only 2 bytes are known to be consecutive and aligned, and cp.async moves at least 4"
// PLAN: nv_tileas.tiled_load %q{{.*}}nv_tileas.rejected = "cp.async: elements outside become nan, and cp.async fills with zeros only"
// CHECK-LABEL: nv_tileas.func @facts
// CHECK-NOT: nv_tileas.copy_async
// CHECK: nv_tileas.return
nv_tileas.func @facts(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %k = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %a, %at = nv_tileas.tiled_load %p[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %b, %bt = nv_tileas.tiled_load %q[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "nan", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %d = nv_tileas.dot %a, %b, %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  %t = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}

// A load for anything else is no business of the plan.
// PLAN-LABEL: nv_tileas.func @plain
// PLAN-NOT: nv_tileas.transfer
// PLAN: nv_tileas.return
nv_tileas.func @plain(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %k = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %a, %at = nv_tileas.tiled_load %p[%z, %k] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x64xf16>
  %u = nv_tileas.tiled_store %a, %q[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf16>, !nv_tileas.ptr<f16>
  nv_tileas.return
}

// A tile with fewer words than there are threads is copied too.
// PLAN-LABEL: nv_tileas.func @fewer_words
// PLAN: nv_tileas.tiled_load %p{{.*}}nv_tileas.transfer = "cp.async"
// CHECK-LABEL: nv_tileas.func @fewer_words
// CHECK: nv_tileas.copy_async {{.*}}, %p
nv_tileas.func @fewer_words(%p: !nv_tileas.ptr<f16>, %q: !nv_tileas.ptr<f16>, %r: !nv_tileas.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant dense<0.0> : tensor<1x16xf32>
  %a, %at = nv_tileas.tiled_load %p[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<1x64xf16>
  %b, %bt = nv_tileas.tiled_load %q[%z, %z] sizes [%n, %n] strides [%n, %one] {padding = "zero", bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 64, 64>, size_div = array<i64: 16, 16>, stride_div = array<i64: 16, 1>} : !nv_tileas.ptr<f16> -> tensor<64x16xf16>
  %d = nv_tileas.dot %a, %b, %c : tensor<1x64xf16>, tensor<64x16xf16> -> tensor<1x16xf32>
  %t = nv_tileas.tiled_store %d, %r[%z, %z] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<1x16xf32>, !nv_tileas.ptr<f32>
  nv_tileas.return
}
