// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileaa-partition-cluster | FileCheck %s
// RUN: tile-opt %s --split-input-file --gpu-name=sm_90 --tileaa-partition-cluster --verify-diagnostics

// Each of two CTAs adds half of the rows: both load the entire operand that both need. What the loop carries is partitioned with its result.
// CHECK-LABEL: @product(
// CHECK-SAME: num_warps = 4, num_ctas = 2>
// CHECK: %[[RANK:.*]] = nv_tileaa.get_cta_rank : i32
// CHECK: arith.constant dense<0.000000e+00> : tensor<64x128xf32>
// CHECK: scf.for {{.*}} -> (tensor<64x128xf32>)
// CHECK: %[[WIDE:.*]] = arith.extsi %[[RANK]] : i32 to i64
// CHECK: %[[C64:.*]] = arith.constant 64 : i64
// CHECK: %[[FIRST:.*]] = arith.muli %[[WIDE]], %[[C64]]
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[FIRST]]
// CHECK: nv_tileaa.tiled_load %a[%[[ROW]], %{{.*}}offset_div = array<i64: 64, 64>{{.*}}tensor<64x64xf16>
// CHECK: nv_tileaa.tiled_load %b[{{.*}}tensor<64x128xf16>
// CHECK: nv_tileaa.dot {{.*}} -> tensor<64x128xf32>
// CHECK-NOT: tensor<128x128xf32>
// CHECK: nv_tileaa.tiled_store {{.*}} tensor<64x128xf32>
nv_tileaa.func @product(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 64 : i64
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %none) -> (tensor<128x128xf32>) : i64 {
    %x, %tx = nv_tileaa.tiled_load %a[%zero, %i] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>, base_div = 16 : i64, offset_div = array<i64: 1024, 64>, size_div = array<i64: 64, 64>, stride_div = array<i64: 64, 1>} : !nv_tileaa.ptr<f16> -> tensor<128x64xf16>
    %y, %ty = nv_tileaa.tiled_load %b[%i, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f16> -> tensor<64x128xf16>
    %next = nv_tileaa.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
    scf.continue %next : tensor<128x128xf32>
  }
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// 64 rows are what wgmma has at least, so that columns are dealt out.
// CHECK-LABEL: @columns(
// CHECK: nv_tileaa.dot {{.*}} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
nv_tileaa.func @columns(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : tensor<64x128xf32>
  %x, %tx = nv_tileaa.tiled_load %a[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f16> -> tensor<64x64xf16>
  %y, %ty = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f16> -> tensor<64x128xf16>
  %sum = nv_tileaa.dot %x, %y, %none : tensor<64x64xf16>, tensor<64x128xf16> -> tensor<64x128xf32>
  %u = nv_tileaa.tiled_store %sum, %c[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// What is the same for all CTAs is done by the first one, and what comes after it is ordered after that. Sizes and strides are replicated.
// CHECK-LABEL: @once(
// CHECK: %[[RANK:.*]] = nv_tileaa.get_cta_rank
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[RANK]]
// CHECK: %[[T:.*]] = scf.if %[[FIRST]] -> (!nv_tileaa.mem_token) {
// CHECK-NEXT: %[[U:.*]] = nv_tileaa.print "%d"
// CHECK-NEXT: scf.yield %[[U]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %{{.*}}
// CHECK: nv_tileaa.tiled_store {{.*}} token %[[T]] {{.*}} tensor<64x128xf32>
nv_tileaa.func @once(%b: !nv_tileaa.ptr<f32>, %s: i32, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = arith.constant dense<1.0> : tensor<128x128xf32>
  %u = nv_tileaa.print "%d", %s : i32 -> !nv_tileaa.mem_token
  %v = nv_tileaa.tiled_store %x, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] token %u {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// A tile that is changed in place: what a CTA reads is what it writes, since both are partitioned alike.
// CHECK-LABEL: @in_place(
// CHECK-SAME: num_ctas = 4
// CHECK: nv_tileaa.tiled_load {{.*}} tensor<16x64xf32>
// CHECK: nv_tileaa.tiled_store {{.*}} tensor<16x64xf32>
nv_tileaa.func @in_place(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 4>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<64x64xf32>
  %y = arith.addf %x, %x : tensor<64x64xf32>
  %v = nv_tileaa.tiled_store %y, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] token %tx {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Of a transposition in place it is not: one CTA reads what another one writes, so that all wait for each other in between.
// CHECK-LABEL: @transposed(
// CHECK-SAME: num_ctas = 2
// CHECK: %[[X:.*]], %[[TX:.*]] = nv_tileaa.tiled_load {{.*}} -> tensor<64x32xf32>
// CHECK: %[[T:.*]] = nv_tileaa.cluster_sync %[[TX]]
// CHECK: nv_tileaa.tiled_store {{.*}} token %[[T]]
nv_tileaa.func @transposed(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<64x64xf32>
  %y = nv_tileaa.permute %x [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %v = nv_tileaa.tiled_store %y, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] token %tx {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// From iteration to iteration tiles of one grid of tiles are partitioned at the same places; tiles that begin anywhere are not.
// CHECK-LABEL: @grid(
// CHECK-SAME: num_ctas = 2
nv_tileaa.func @grid(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 64 : i64
  %x = arith.constant dense<1.0> : tensor<64x64xf32>
  %none = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %last = scf.for %i = %zero to %n step %step iter_args(%t = %none) -> (!nv_tileaa.mem_token) : i64 {
    %v = nv_tileaa.tiled_store %x, %b[%i, %zero] sizes [%n, %n] strides [%n, %one] token %t {bounds = array<i1: true, true>, offset_div = array<i64: 64, 64>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    scf.continue %v : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// expected-warning @+3 {{tile blocks of 'anywhere' have one CTA each, not 2 as hints ask: cluster synchronization would cost more than it saves}}
// CHECK-LABEL: @anywhere(
// CHECK-NOT: num_ctas
nv_tileaa.func @anywhere(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = arith.constant dense<1.0> : tensor<64x64xf32>
  %none = nv_tileaa.create_mem_token : !nv_tileaa.mem_token
  %last = scf.for %i = %zero to %n step %one iter_args(%t = %none) -> (!nv_tileaa.mem_token) : i64 {
    %v = nv_tileaa.tiled_store %x, %b[%i, %i] sizes [%n, %n] strides [%n, %one] token %t {bounds = array<i1: true, true>, offset_div = array<i64: 1, 1>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
    scf.continue %v : !nv_tileaa.mem_token
  }
  nv_tileaa.return
}

// -----

// All CTAs would work on a sum of everything.
// expected-warning @+3 {{tile blocks of 'sum' have one CTA each, not 2 as hints ask: cluster synchronization would cost more than it saves}}
// CHECK-LABEL: @sum(
// CHECK-NOT: num_ctas
nv_tileaa.func @sum(%a: !nv_tileaa.ptr<f32>, %b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %tx = nv_tileaa.tiled_load %a[%zero] sizes [%n] strides [%one] {bounds = array<i1: true>} : !nv_tileaa.ptr<f32> -> tensor<1024xf32>
  %s = nv_tileaa.reduce (%x) {dim = 0 : i64} : (tensor<1024xf32>) -> f32 (%acc: f32, %e: f32) {
    %t = arith.addf %acc, %e : f32
    nv_tileaa.yield %t : f32
  }
  %u = nv_tileaa.store %b, %s : !nv_tileaa.ptr<f32>, f32 -> !nv_tileaa.mem_token
  nv_tileaa.return
}

// -----

// More than are portable are taken where the target has them, as tileiras does.
// CHECK-LABEL: nv_tileaa.func @most({{.*}}num_ctas = 16
nv_tileaa.func @most(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 16>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = arith.constant dense<1.0> : tensor<64x64xf32>
  %v = nv_tileaa.tiled_store %x, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Where the program fixes the shape, the first of the CTAs does what cannot be shared.
// CHECK-LABEL: nv_tileaa.func @fixed({{.*}}num_ctas = 2
// CHECK: %[[RANK:.*]] = nv_tileaa.get_cta_rank
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[RANK]]
// CHECK: scf.if %[[OTHER]] {
// CHECK-NEXT: nv_tileaa.return
// CHECK: nv_tileaa.store
module attributes {tt.cluster_dim = array<i32: 2, 1, 1>} {
  // expected-warning @below {{tile blocks of 'fixed' are computed by the first of 2 CTAs each: each would compute almost all of it}}
  nv_tileaa.func @fixed(%b: !nv_tileaa.ptr<i32>, %s: i32) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
    %u = nv_tileaa.store %b, %s : !nv_tileaa.ptr<i32>, i32 -> !nv_tileaa.mem_token
    nv_tileaa.return
  }
}

// -----

// A store of what comes out of a load is after it without a token, but not in another CTA: each needs all rows of what is stored to in parts.
// expected-warning @+3 {{tile blocks of 'in_place' have one CTA each, not 2 as hints ask: 'nv_tileaa.tiled_store' may touch what 'nv_tileaa.tiled_load' does before, in another CTA}}
// CHECK-LABEL: @in_place(
// CHECK-NOT: num_ctas
nv_tileaa.func @in_place(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %t = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<64x64xf32>
  %y = nv_tileaa.permute %x [1, 0] : tensor<64x64xf32> -> tensor<64x64xf32>
  %v = nv_tileaa.tiled_store %y, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Elements that stay where they are each CTA reads and writes alone.
// CHECK-LABEL: @where_they_are({{.*}}num_ctas = 2
nv_tileaa.func @where_they_are(%b: !nv_tileaa.ptr<f32>, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x, %t = nv_tileaa.tiled_load %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f32> -> tensor<64x64xf32>
  %y = arith.addf %x, %x : tensor<64x64xf32>
  %v = nv_tileaa.tiled_store %y, %b[%zero, %zero] sizes [%n, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<64x64xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// Without a hint a tile block has one CTA.
// CHECK-LABEL: @unchanged_alone(
// CHECK-SAME: num_warps = 4>
// CHECK-NOT: get_cta_rank
// CHECK: nv_tileaa.tiled_store {{.*}} tensor<128x128xf32>
nv_tileaa.func @unchanged_alone(%c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant dense<0.0> : tensor<128x128xf32>
  %u = nv_tileaa.tiled_store %none, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x128xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}

// -----

// A subtile with all rows is cut by rows, so each of two CTAs adds and stores half of the rows, in halves of columns.
// CHECK-LABEL: @subtiles(
// CHECK: nv_tileaa.dot {{.*}} -> tensor<64x256xf32>
// CHECK: nv_tileaa.extract %{{.*}} : tensor<64x256xf32>, i32, i32 -> tensor<64x128xf32>
// CHECK: nv_tileaa.extract %{{.*}} : tensor<64x256xf32>, i32, i32 -> tensor<64x128xf32>
// CHECK: nv_tileaa.insert %{{.*}} : tensor<64x128xf32>, tensor<64x256xf32>, i32, i32
// CHECK-NOT: tensor<128x
// CHECK: nv_tileaa.return
nv_tileaa.func @subtiles(%a: !nv_tileaa.ptr<f16>, %b: !nv_tileaa.ptr<f16>, %c: !nv_tileaa.ptr<f32>, %m: i64, %n: i64, %k: i64) attributes {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, cluster = 2>} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %step = arith.constant 64 : i64
  %half = arith.constant 128 : i64
  %lo = arith.constant 0 : i32
  %hi = arith.constant 1 : i32
  %none = arith.constant dense<0.0> : tensor<128x256xf32>
  %sum = scf.for %i = %zero to %k step %step iter_args(%acc = %none) -> (tensor<128x256xf32>) : i64 {
    %x, %tx = nv_tileaa.tiled_load %a[%zero, %i] sizes [%m, %k] strides [%k, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f16> -> tensor<128x64xf16>
    %y, %ty = nv_tileaa.tiled_load %b[%i, %zero] sizes [%k, %n] strides [%n, %one] {bounds = array<i1: true, true>} : !nv_tileaa.ptr<f16> -> tensor<64x256xf16>
    %next = nv_tileaa.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
    scf.continue %next : tensor<128x256xf32>
  }
  %left = nv_tileaa.extract %sum[%lo, %lo] : tensor<128x256xf32>, i32, i32 -> tensor<128x128xf32>
  %right = nv_tileaa.extract %sum[%lo, %hi] : tensor<128x256xf32>, i32, i32 -> tensor<128x128xf32>
  %twice = arith.addf %left, %right : tensor<128x128xf32>
  %both = nv_tileaa.insert %twice, %sum[%lo, %lo] : tensor<128x128xf32>, tensor<128x256xf32>, i32, i32
  %u = nv_tileaa.tiled_store %both, %c[%zero, %zero] sizes [%m, %n] strides [%n, %one] {bounds = array<i1: true, true>} : tensor<128x256xf32>, !nv_tileaa.ptr<f32>
  nv_tileaa.return
}
